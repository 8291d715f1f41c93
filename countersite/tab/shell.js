// The page around a table in a tab: it fetches Python once, runs the site in a worker, and shows it in a frame.
//
// Of all tabs of this browser one runs the site, by a lock; when it is closed, the next goes on.

const BASE = new URL("../", import.meta.url).pathname;
const { version, files, words } = JSON.parse(document.getElementById("facts").textContent);
const say = words[navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in words)] ?? words.en;
const named = (name) => document.getElementById(name);
const channel = new BroadcastChannel(`countersite ${BASE}`);
const ANOTHERS = /^(?:j\/|seat$)/;
const MB = 1_000_000;
const began = performance.now();

for (const element of document.querySelectorAll("[data-word]")) element.textContent = say[element.dataset.word];
document.title = say.title;
document.documentElement.lang = say.language;

const mb = (bytes) => new Intl.NumberFormat(say.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(bytes / MB);

/** Fetch what the cache lacks, and show how much of it is here. */
async function fetchAll() {
  const cache = await caches.open(`countersite ${BASE}`);
  const release = await (await cache.match(`${BASE}tab/version`))?.text();
  if (release !== version) for (const each of await cache.keys()) await cache.delete(each);
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
  named("bytes").textContent = say.bytes.replace("{here}", mb(here)).replace("{all}", mb(all));
  named("left").textContent = say.left.replace("{seconds}", Math.ceil((seconds * (all - here)) / here));
}

function step(name) {
  named("bar").removeAttribute("value");
  named("bytes").textContent = say[name];
  named("left").textContent = "";
}

async function controlled() {
  await navigator.serviceWorker.register(`${BASE}worker.js`);
  if (navigator.serviceWorker.controller) return;
  await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
}

/** Run the site here as soon as no other tab does, for as long as this page is open. */
function serve() {
  return new Promise((up, failed) => {
    navigator.locks.request(`countersite ${BASE}`, () => {
      const engine = new Worker(`${BASE}tab/engine.js`, { type: "module" });
      engine.addEventListener("message", ({ data }) => {
        if (data.stage === "python") step("opening");
        if (data.stage === "failed") failed(new Error(data.error));
        if (data.stage !== "up") return;
        named("serving").hidden = false;
        named("lasts").textContent = data.lasts ? say.keep : say.forgets;
        up();
      });
      return new Promise(() => {});
    });
    channel.addEventListener("message", ({ data }) => (data.here || data.up) && up());
    channel.postMessage({ anyone: true });
  });
}

function jar(path) {
  if (ANOTHERS.test(path) && !sessionStorage.getItem("jar"))
    sessionStorage.setItem("jar", Math.random().toString(36).slice(2, 8));
  return sessionStorage.getItem("jar") ?? "";
}

function show() {
  const frame = named("site");
  const path = location.pathname.slice(BASE.length).replace(/^index\.html$/, "");
  const mine = jar(path);
  const at = BASE + (mine ? `~${mine}/` : "");
  frame.addEventListener("load", () => {
    const { pathname, search, hash } = frame.contentWindow.location;
    if (!pathname.startsWith(at)) return;
    history.replaceState(null, "", BASE + pathname.slice(at.length) + search + hash);
    document.title = frame.contentDocument.title;
    named("loading").hidden = true;
    frame.hidden = false;
  });
  frame.contentWindow.location.replace(at + path + location.search + location.hash);
}

try {
  step("fetching");
  await fetchAll();
  step("starting");
  await controlled();
  await serve();
  step("opening");
  show();
} catch (error) {
  named("loading").classList.add("is-failed");
  named("bytes").textContent = say.failed;
  named("left").textContent = String(error.message ?? error);
}
