// The page around a table in a tab: it fetches Python once, runs the site in a worker, and shows it in a frame.
//
// Of all tabs of this browser one runs the site, by a lock; when it is closed, the next goes on. A guest's has nothing to
// run: it asks another phone (peer.js), which it met by two codes (guests.js).

import { reader, show } from "./guests.js";
import { join, place } from "./peer.js";

const BASE = new URL("../", import.meta.url).pathname;
const NAME = `countersite ${BASE}`;
const GUEST = `${NAME} guest`;
const named = (name) => document.getElementById(name);
const { version, files } = JSON.parse(named("facts").textContent);
const spoken = (language) => document.querySelector(`template[lang="${language.slice(0, 2)}"]`);
const words = navigator.languages.map(spoken).find(Boolean) ?? spoken("en");
const channel = new BroadcastChannel(NAME);
const ANOTHERS = /^(?:j\/|seat$)/;
const PAGE = /(?:index\.html|\/tab\/\w+\.(?:m?js|css|svg))$/;
const MB = 1_000_000;
const began = performance.now();

document.documentElement.lang = words.lang;
document.body.replaceChildren(document.importNode(words.content, true));
document.title = document.querySelector("h1").textContent;

const say = (name) => document.querySelector(`#words > #${name}`)?.textContent.trim();
const frame = named("site");
const mb = (bytes) => new Intl.NumberFormat(words.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(bytes / MB);

/** Fetch what the cache lacks, and show how much of it is here. */
async function fetchAll() {
  const cache = await caches.open(NAME);
  const release = await (await cache.match(`${BASE}tab/version`))?.text();
  if (release !== version) for (const each of await cache.keys()) if (!PAGE.test(each.url)) await cache.delete(each);
  const missing = [];
  for (const each of files) if (!(await cache.match(BASE + each.path))) missing.push(each);
  const all = missing.reduce((sum, { bytes }) => sum + bytes, 0);
  let here = 0;
  for (const { path, packed, type } of missing) {
    const answer = await fetch(BASE + (packed ? `${path}.gz` : path), { cache: "no-cache" });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    const counted = answer.body.pipeThrough(
      new TransformStream({
        transform(piece, out) {
          here += piece.byteLength;
          progress(here, all);
          out.enqueue(piece);
        },
      }),
    );
    const content = packed ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
    await cache.put(BASE + path, new Response(content, { headers: { "Content-Type": type } }));
  }
  await cache.put(`${BASE}tab/version`, new Response(version));
}

function progress(here, all) {
  const seconds = (performance.now() - began) / 1000;
  named("bar").value = here / all;
  named("stage").textContent = say("bytes").replace("{here}", mb(here)).replace("{all}", mb(all));
  named("left").textContent = say("seconds").replace("{seconds}", Math.ceil((seconds * (all - here)) / here));
}

function step(name) {
  named("bar").removeAttribute("value");
  named("stage").textContent = say(name);
  named("left").textContent = "";
}

/** Show one section of this page in place of the site, or the site. */
function turn(to) {
  for (const each of document.querySelectorAll("section")) each.hidden = each.id !== to;
  document.querySelector("main").hidden = to === "site";
  frame.hidden = to !== "site";
}

/** Resolves when this page's requests are answered; one that was here before is not waited for, as a network may hang. */
async function controlled() {
  const registered = navigator.serviceWorker.register(`${BASE}worker.js`);
  if (navigator.serviceWorker.controller) return void registered.catch(() => {});
  await registered;
  await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
}

/** Resolves when a tab, or another phone, answers for the site. */
function anyone() {
  return new Promise((here) => {
    channel.addEventListener("message", ({ data }) => (data.here || data.up) && here());
    channel.postMessage({ anyone: true });
  });
}

/** Run the site here as soon as no other tab does, for as long as this page is open. */
function serve() {
  return new Promise((up, failed) => {
    navigator.locks.request(NAME, () => {
      const engine = new Worker(`${BASE}tab/engine.js`, { type: "module" });
      engine.addEventListener("message", ({ data }) => {
        if (data.stage === "python") step("opening");
        if (data.stage === "failed") failed(new Error(data.error));
        if (data.stage !== "up") return;
        named("serving").querySelector(data.lasts ? "[data-if=ends]" : "[data-if=lasts]").remove();
        named("serving").hidden = false;
        up();
      });
      return new Promise(() => {});
    });
  });
}

function jar(path) {
  if (ANOTHERS.test(path) && !sessionStorage.getItem("jar"))
    sessionStorage.setItem("jar", Math.random().toString(36).slice(2, 8));
  return sessionStorage.getItem("jar") ?? "";
}

/** Show the site at *path*, to the player whose cookies are in the jar *mine*. */
function open(path, mine) {
  const at = BASE + (mine ? `~${mine}/` : "");
  frame.onload = () => {
    const { pathname, search, hash } = frame.contentWindow.location;
    if (!pathname.startsWith(at)) return;
    history.replaceState(null, "", BASE + pathname.slice(at.length) + search + hash);
    document.title = frame.contentDocument.title;
    turn("site");
    invite(frame.contentDocument);
  };
  frame.contentWindow.location.replace(at + path);
}

let free; // a place for the next guest, through all pages that show its code
let given; // takes an answer, while one is waited for

/** Where the site invites to a table, show the two scans that bring a phone to it. */
async function invite(page) {
  const link = page.querySelector(".share-pass[data-link]")?.dataset.link;
  if (!link || page.querySelector(".share-qr")) return;
  const panel = page.importNode(named("invite").content, true).firstElementChild;
  page.querySelector(".share-code").previousElementSibling.replaceWith(panel);
  const vacant = async () => ((await free)?.spent ?? true ? (free = place()) : free);
  const next = async () => show(panel, "offer", (await vacant()).code);
  given = reader(panel, say, async (answer) => {
    try {
      await (await vacant()).take(answer, link);
    } finally {
      await next();
    }
  });
  await next();
}

/** Be another phone's guest, by the code that it showed; without one, ask for it. */
async function visit(code) {
  sessionStorage.setItem("guest", "yes");
  await controlled();
  if (code) {
    if (await held(NAME)) throw new Error("busy");
    const { answer, at, gone, leave } = await join(code, (localStorage[GUEST] ||= crypto.randomUUID()));
    navigator.locks.request(GUEST, { steal: true }, () => gone).catch(leave);
    show(named("answer"), "answer", answer);
    turn("answer");
    at.then((link) => open(new URL(link).pathname.slice(BASE.length), ""), () => turn("back"));
    gone.then(() => turn("back"));
  } else turn("back");
}

const held = async (name) => (await navigator.locks.query()).held.some((each) => each.name === name);

addEventListener("hashchange", () => location.reload()); // another code

async function start() {
  const path = location.pathname.slice(BASE.length).replace(/^index\.html$/, "");
  const [, what, code] = /^#(offer|answer)=(.+)$/.exec(location.hash) ?? [];
  const afar = await held(GUEST);
  channel.addEventListener("message", ({ data }) => data.given && given?.(data.given));
  if (what === "answer") {
    channel.postMessage({ given: code });
    return turn("done");
  }
  if (code || (path && sessionStorage.getItem("guest") && !afar)) {
    reader(named("back"), say, visit);
    channel.addEventListener("message", ({ data }) => data.up && !named("back").hidden && turn("site"));
    return visit(code);
  }
  step("fetching");
  if (!afar) await fetchAll();
  step("starting");
  await controlled();
  await (afar ? anyone() : Promise.race([anyone(), serve()]));
  step("opening");
  open(path + location.search + location.hash, jar(path));
}

start().catch((error) => {
  turn("loading");
  named("loading").classList.add("is-failed");
  named("stage").textContent = say(error.message) ?? say("failed");
  named("left").textContent = say(error.message) ? "" : String(error.message ?? error);
});
