// The service worker of a table in a tab: it hands what its pages ask for to the tab that runs the site.
//
// A page of its own is only the one that keeps the site in a frame (shell.js); what frames and scripts ask is
// answered by Python, wherever it runs (engine.js). A name after "~" is the jar of cookies of one tab, in which
// another player sits.

const BASE = new URL("./", location).pathname;
const OWN = /^(?:index\.html$|tab\/)/;
const LARGE = /\/(?:python\/|site\.zip$)/;
const STATIC = /^(?:static\/|icons-)/;
const JAR = /^~(\w+)\//;
const SHELL = "shell.css shell.js guests.js peer.js qr.mjs engine.js socket.js icon.svg".split(" ").map((each) => `tab/${each}`);
const PATIENCE = 60_000;
const kept = caches.open(`countersite ${BASE}`);
const channel = new BroadcastChannel(`countersite ${BASE}`);
const waiting = new Map();

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(kept.then((cache) => cache.addAll(["index.html", ...SHELL].map((each) => BASE + each))));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

channel.addEventListener("message", ({ data }) => {
  if (data.up) for (const { ask } of waiting.values()) channel.postMessage(ask);
  if (!data.answer) return;
  waiting.get(data.answer)?.done(data);
  waiting.delete(data.answer);
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || !pathname.startsWith(BASE)) return;
  const path = pathname.slice(BASE.length);
  if (request.destination === "document") event.respondWith(shell(event));
  else if (OWN.test(path)) event.respondWith(own(event, path));
  else if (path !== "worker.js") event.respondWith(page(event, path));
});

/** A file of this folder, as it is kept; what is not large is fetched anew behind it, for the next visit. */
async function own(event, path) {
  const cache = await kept;
  const old = await cache.match(BASE + path);
  if (old && LARGE.test(path)) return old;
  const fresh = fetch(BASE + path, { cache: "no-cache" }).then(async (answer) => {
    if (answer.ok && !LARGE.test(path)) await cache.put(BASE + path, answer.clone());
    return answer;
  });
  if (old) event.waitUntil(fresh.catch(() => {}));
  return old ?? fresh;
}

/** The page around the site, at whichever address of the site it is asked for. */
async function shell(event) {
  const text = await (await own(event, "index.html")).text();
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  return new Response(text.replace('<base href="./">', `<base href="${BASE}">`), { headers });
}

async function page(event, path) {
  const { request } = event;
  const inside = path.replace(JAR, "");
  const jar = JAR.exec(path)?.[1] ?? (await jarOf(event));
  const at = BASE + (jar ? `~${jar}/` : "");
  const { search } = new URL(request.url);
  if (request.mode === "navigate" && jar && inside === path)
    return Response.redirect(at + inside + search, request.method === "GET" ? 302 : 307);
  const old = STATIC.test(inside) && (await (await kept).match(BASE + inside));
  if (old) return old;
  const body = request.method === "GET" || request.method === "HEAD" ? null : await request.arrayBuffer();
  const headers = new Headers({ "user-agent": navigator.userAgent, "accept-language": navigator.languages.join() });
  for (const [name, value] of request.headers) headers.set(name, value);
  if (body) headers.set("content-length", body.byteLength);
  const answer = await asked({ jar, method: request.method, target: `/${inside}${search}`, headers: [...headers], body });
  if (!answer) return Response.error();
  const said = new Headers(answer.headers);
  const to = said.get("location");
  if (to && jar) {
    const url = new URL(to, request.url);
    if (url.origin === location.origin && url.pathname.startsWith(BASE) && !url.pathname.startsWith(at))
      said.set("location", at + url.pathname.slice(BASE.length) + url.search + url.hash);
  }
  const empty = answer.status === 204 || answer.status === 304;
  let content = empty ? null : answer.body;
  if (request.mode === "navigate" && said.get("content-type")?.startsWith("text/html")) {
    const text = new TextDecoder().decode(content);
    content = text.replace("<head>", `<head><script src="${BASE}tab/socket.js"></script>`);
    said.delete("content-length");
  }
  const response = new Response(content, { status: answer.status, headers: said });
  if (answer.status === 200 && STATIC.test(inside))
    event.waitUntil((await kept).put(BASE + inside, response.clone()));
  return response;
}

/** The jar of the page that asks: by its address, for what it navigates to has none yet. */
async function jarOf({ clientId, request }) {
  const from = (clientId && (await clients.get(clientId))?.url) || request.referrer;
  const { origin, pathname } = new URL(from || location);
  return origin === location.origin ? (JAR.exec(pathname.slice(BASE.length))?.[1] ?? "") : "";
}

/** The answer of the tab that runs the site; null if none comes. */
function asked(question) {
  const id = crypto.randomUUID();
  const ask = { ask: id, ...question };
  return new Promise((done) => {
    waiting.set(id, { ask, done });
    channel.postMessage(ask);
    setTimeout(() => waiting.delete(id) && done(null), PATIENCE);
  });
}
