// Commands that the table has not confirmed yet. They outlive a reload and are sent again after a
// gap in the connection; the server takes each id once.

const key = `outbox:${document.getElementById("live").dataset.game}`;
const listeners = new Set();
let items = read();
let send = null;

function read() {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? [];
  } catch {
    return [];
  }
}

function keep() {
  try {
    if (items.length) localStorage.setItem(key, JSON.stringify(items));
    else localStorage.removeItem(key);
  } catch {
    // Without storage they last as long as the page.
  }
  listeners.forEach((listener) => listener(items));
}

function newId() {
  const random = crypto.getRandomValues(new Uint32Array(3));
  return Array.from(random, (part) => part.toString(36)).join("");
}

export const waiting = () => items;
export const onChange = (listener) => listeners.add(listener);

/** Give a command to the table; `at` says where a refusal is shown. Returns its id. */
export function give(command, at = "") {
  const id = newId();
  items.push({ command: { ...command, id }, at, since: Date.now() });
  keep();
  send?.(items.at(-1).command);
  return id;
}

/** Use `sender` from now on, and send it all that still waits; null while there is no line. */
export function use(sender) {
  send = sender;
  if (!send) return;
  for (const item of items) {
    item.since = Date.now();
    send(item.command);
  }
}

/** Forget the commands with these ids: they are on the server's disk. Nothing happened by *idle* ones. */
export function settle(ids, idle = []) {
  const known = new Set(ids);
  if (!items.some((item) => known.has(item.command.id))) return;
  const done = items.filter((item) => known.has(item.command.id));
  items = items.filter((item) => !known.has(item.command.id));
  keep();
  for (const item of done) {
    document.dispatchEvent(new CustomEvent("table:accepted", { detail: item }));
    if (idle.includes(item.command.id)) document.dispatchEvent(new CustomEvent("table:idle", { detail: item }));
  }
}

/** The server said no: forget the command and say why where it was tapped. */
export function refuse(refused) {
  const item = items.find((each) => each.command.id === refused.id);
  items = items.filter((each) => each !== item);
  keep();
  document.dispatchEvent(new CustomEvent("table:refused", { detail: { ...refused, item } }));
}

/** How long the oldest command has waited for an answer, in milliseconds. */
export function oldest() {
  return items.length && send ? Date.now() - Math.min(...items.map((item) => item.since)) : 0;
}
