// The connection to the table: messages, disconnects, and reconnecting at once.

import * as outbox from "./outbox.js";

const live = document.getElementById("live");
const banner = document.getElementById("connection");
const SEQUENCE = /^<data\b[^>]*\bid="seq"[^>]*>/;
const FACTS = {
  seq: /\bdata-seq="(\d+)"/,
  acks: /\bdata-acks="([^"]*)"/,
  entries: /\bdata-entries="([^"]*)"/,
  idle: /\bdata-idle="([^"]*)"/,
  by: /\bdata-by="([^"]*)"/,
};
const PATIENCE = 2000;
/** How many times longer connecting may take than a tap: a proxy waits two seconds for a hung process, then asks
 * another. */
const PASSED_ON = 500;
const MOST_PATIENCE = 12_000;
const LOOK = 250;
const GRACE = 1200;
// This phone now has another seat, or none: load a new page that says so.
const RELOAD = [4409, 4410];
// Too many screens, or too much at once: ask again later, each at its own pace.
const FULL = 4429;
const GONE = 4404;
const LATER = 10_000 * (1 + Math.random());
let connection = null;
let number = Number(document.getElementById("seq").dataset.seq);
let away = null;
let framed = false;
let turned = false;
let elsewhere = false;
let over = false;
let patience = PATIENCE;
let watched = null;
let connectingFor = 0;
/** This phone's own form whose answer leads on by itself; the sheet may have replaced it meanwhile. */
let leading = null;
for (const [type, to] of [["htmx:before:request", (form) => form], ["htmx:finally:request", () => null]])
  document.addEventListener(type, ({ target }) => {
    if (target.matches?.("form[data-leads]")) leading = to(target);
  });

/** The element that ends every frame of the board; null if *frame* is of something else. It is not parsed
 * as HTML: frames come with every tap, and hx-ws draws them. */
const sequence = (frame) => SEQUENCE.exec(frame.slice(Math.max(0, frame.lastIndexOf("<data"))))?.[0] ?? null;
const fact = (end, name) => FACTS[name].exec(end)?.[1] ?? "";

function address() {
  if (connection) connection.url = connection.url.replace(/from=\d*/, `from=${number}`);
}

function say(text) {
  banner.textContent = text;
  banner.hidden = !text;
  document.body.classList.toggle("is-stale", Boolean(text));
}

function lost() {
  const kept = outbox.waiting().length;
  say(banner.dataset.away + (kept ? ` (${kept} ${banner.dataset.kept})` : ""));
}

live.addEventListener("htmx:ws:before:connection", (event) => {
  connection = event.detail.connection;
  address();
});

live.addEventListener("htmx:ws:after:connection", () => {
  patience = enough(connectingFor);
  back();
  outbox.use((command) => {
    if (connection?.socket?.readyState === WebSocket.OPEN) connection.socket.send(JSON.stringify(command));
  });
});

live.addEventListener("htmx:ws:close", (event) => {
  outbox.use(null);
  if (over) return;
  if (event.detail.code === FULL) {
    over = true;
    live.dataset.over = "yes";
    say(banner.dataset.full);
    setInterval(() => document.hidden || location.reload(), LATER);
    return;
  }
  if (event.detail.code >= 4400 && event.detail.code < 4500) document.dispatchEvent(new Event("table:over"));
  if (RELOAD.includes(event.detail.code)) {
    over = true;
    // Keep the query that says what the screen is for; drop the welcome. Who waited may have been let in.
    const waited = document.querySelector(".is-waiting-there") ? "?welcome=in" : "";
    const anew = () => location.replace(location.pathname + ("kept" in live.dataset ? location.search : waited));
    if (leading) leading.addEventListener("htmx:error", anew, { once: true });
    else anew();
  } else if (event.detail.code >= 4400 && event.detail.code < 4500) {
    over = true;
    live.dataset.over = "yes";
    say(event.detail.code === GONE ? banner.dataset.gone : banner.dataset.closed);
  } else {
    away ??= setTimeout(lost, GRACE);
  }
});

live.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const text = event.detail.message.data;
  if (typeof text !== "string") return;
  if (text.startsWith("{")) {
    const { refused } = JSON.parse(text);
    if (refused) outbox.refuse(refused);
    return;
  }
  const end = sequence(text);
  framed = Boolean(end);
  if (!end) return;
  if (away || !banner.hidden) back();
  number = Number(fact(end, "seq"));
  address();
  turned = end.includes(" data-turned");
  const acknowledged = fact(end, "acks");
  const entries = (fact(end, "entries") || String(number)).split(" ").map(Number);
  const ids = acknowledged ? acknowledged.split(" ") : [];
  if (ids.length) patience = enough(outbox.oldest());
  const own = outbox.settle(ids, fact(end, "idle").split(" "), entries);
  elsewhere = !own && fact(end, "by").split(" ").includes(live.dataset.seat);
});

live.addEventListener("htmx:ws:after:message:incoming", () => {
  if (!framed) return; // a refusal changes nothing, and stays where it is shown
  framed = false;
  document.dispatchEvent(new CustomEvent("table:changed", { detail: { number, turned, elsewhere } }));
});

/** Connect now, rather than when the next try is due. */
function connect() {
  if (over || document.hidden || !connection) return;
  const state = connection.socket?.readyState;
  if (state === WebSocket.OPEN || state === WebSocket.CONNECTING) return;
  clearTimeout(connection.timer);
  if (!live._htmx?.ws?.connection) {
    htmx.trigger(live, "connect"); // hx-ws no longer tries
    return;
  }
  // hx-ws reopens a closed connection when the page is shown again; one that is still closing is dropped.
  connection.socket = null;
  document.dispatchEvent(new Event("visibilitychange"));
}

/** Nothing answers at this address any more (./elsewhere.js): drop any connection to it. */
document.addEventListener("table:silent", () => {
  if (over || !banner.hidden) return;
  outbox.use(null);
  connection?.socket?.close();
  lost();
});

/** Connected: clear any message about the lost connection. */
function back() {
  clearTimeout(away);
  away = null;
  say("");
}

// A form that leads to another page ends this one; what closes meanwhile must not lead elsewhere.
window.addEventListener("submit", (event) => {
  if (!event.defaultPrevented && event.target.method === "post") over = true;
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) over = Boolean(live.dataset.over);
});
window.addEventListener("online", () => {
  if (open()) back();
  else connect();
});
window.addEventListener("focus", connect);
window.addEventListener("pageshow", connect);
window.addEventListener("offline", () => (away ??= setTimeout(lost, 0)));

// A connection may be dead without saying so (another network, a server that hangs), and an attempt
// may never succeed: both show by the time without an answer. Each new attempt is given twice as long as the one
// before, for a server that is only slow.
setInterval(() => {
  const socket = connection?.socket;
  connectingFor = socket === watched && socket?.readyState === WebSocket.CONNECTING ? connectingFor + LOOK : 0;
  watched = socket;
  if (!socket || Math.max(connectingFor - PASSED_ON, outbox.oldest()) < patience) return;
  patience = Math.min(2 * patience, MOST_PATIENCE);
  outbox.use(null);
  socket.close();
  connection.socket = null;
  connect();
}, LOOK);

/** The timeout of the next answer, after one that took *waited* milliseconds. */
function enough(waited) {
  return Math.min(Math.max(PATIENCE, 3 * waited), MOST_PATIENCE);
}

outbox.onChange(() => {
  if (!banner.hidden && !over) lost();
});

/** True if a connection to the table is open. */
export const open = () => connection?.socket?.readyState === WebSocket.OPEN;

// htmx scans the page once, as soon as it can. On a slow network that is before hx-ws has loaded, so ask
// it again here, when everything has loaded and these listeners are in place.
htmx.process(live);
htmx.trigger(live, "connect");
