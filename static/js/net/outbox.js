// Commands the table has not confirmed yet. They survive a reload and are sent again after a lost
// connection; the server accepts each id once.
//
// Each tab keeps its own record in the storage that all tabs of a phone share, and answers for it when
// another tab asks. A record that no tab answers for was left by one that is gone: the tab that
// asked takes it over. What is no longer in a tab's record belongs to another tab now.

const live = document.getElementById("live");
const game = `outbox:${live.dataset.game}`;
const ANSWERED = 500;
const RELOADED = 5000;
const listeners = new Set();
const tabs = new BroadcastChannel(game);
const present = new Set();
const own = inherited() ?? `${game}:${newId()}`;
let items = read(own);
let send = null;

/** The record that this tab had before it was reloaded. Only meanwhile does the session know of it:
 * a tab that is duplicated takes a copy of the session along. */
function inherited() {
  try {
    const record = sessionStorage.getItem(game);
    sessionStorage.removeItem(game);
    return record;
  } catch {
    return null;
  }
}

/** The content of *record*; a form that it was typed into is not on this page. */
function read(record) {
  try {
    const kept = JSON.parse(localStorage.getItem(record)) ?? [];
    return kept.map((item) => ({ ...item, at: item.at.startsWith("form") ? "" : item.at }));
  } catch {
    return [];
  }
}

function keep() {
  try {
    if (items.length) localStorage.setItem(own, JSON.stringify(items));
    else localStorage.removeItem(own);
  } catch {
    // Without storage they last as long as the page.
  }
  listeners.forEach((listener) => listener(items));
}

/** An id that nothing else has. */
export function newId() {
  const random = crypto.getRandomValues(new Uint32Array(3));
  return Array.from(random, (part) => part.toString(36)).join("");
}

function others() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(`${game}:`) && key !== own);
  } catch {
    return [];
  }
}

/** Take over the records of tabs that are gone. A screen without a seat gives no commands. */
function inherit() {
  if (!live.dataset.seat || !others().length) return;
  present.clear();
  tabs.postMessage("who is there?");
  setTimeout(() => {
    for (const record of others().filter((each) => !present.has(each))) {
      const left = read(record);
      items.push(...left);
      keep();
      localStorage.removeItem(record);
      for (const item of left) dispatch(item);
    }
  }, ANSWERED);
}

function dispatch(item) {
  item.since = Date.now();
  send?.(item.command);
}

tabs.addEventListener("message", ({ data }) => {
  if (data === "who is there?") tabs.postMessage(own);
  else if (data === "one left") setTimeout(inherit, RELOADED);
  else present.add(data);
});

/** Another tab took what this one did not answer for: it was frozen, or its page was put aside. */
function lookAgain() {
  items = read(own);
  listeners.forEach((listener) => listener(items));
}
addEventListener("storage", ({ key }) => key === own && lookAgain());
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  inherited();
  lookAgain();
});
addEventListener("pagehide", () => {
  if (!items.length) return;
  try {
    sessionStorage.setItem(game, own);
  } catch {
    // Then another tab takes over, or this one when it is back.
  }
  tabs.postMessage("one left");
});
inherit();

export const waiting = () => items;
export const onChange = (listener) => listeners.add(listener);

/** Give a command to the table; `at` says where a refusal is shown. Returns its id, which ends with the
 * number that this page is at: the server compares it only with what was accepted since. "" where the result of the
 * game stands, and the page says so (`stands`). */
export function give(command, at = "") {
  const stands = document.getElementById("stands");
  if (stands?.dataset.refuses.split(" ").includes(verb(command))) {
    const detail = { code: "over", message: stands.textContent, item: { command, at } };
    document.dispatchEvent(new CustomEvent("table:refused", { detail }));
    return "";
  }
  const id = `${newId()}@${document.getElementById("seq").dataset.seq}`;
  items.push({ command: { ...command, id }, at });
  keep();
  dispatch(items.at(-1));
  return id;
}

/** What a command does; a form says it in its fields. */
const verb = ({ do: done, form }) => done ?? new URLSearchParams(form).get("do");

/** Use `sender` from now on, and send it all that still waits; null while there is no connection. */
export function use(sender) {
  send = sender;
  if (!send) return;
  items.forEach(dispatch);
  inherit();
}

/** Forget the commands with these ids: they are on the server's disk, as these *entries* of the log (0 if
 * that is not known). Nothing happened by *idle* ones. Returns how many of them this tab had given. */
export function settle(ids, idle = [], entries = []) {
  const known = new Map(ids.map((id, index) => [id, entries[index] ?? 0]));
  if (!items.some((item) => known.has(item.command.id))) return 0;
  const done = items
    .filter((item) => known.has(item.command.id))
    .map((item) => ({ ...item, entry: known.get(item.command.id) }));
  items = items.filter((item) => !known.has(item.command.id));
  keep();
  for (const item of done) {
    document.dispatchEvent(new CustomEvent("table:accepted", { detail: item }));
    if (idle.includes(item.command.id)) document.dispatchEvent(new CustomEvent("table:idle", { detail: item }));
  }
  return done.length;
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
