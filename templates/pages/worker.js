// Your own board, and the help, without a connection. The server is always asked for a page first; the copy
// is shown only when nothing answers, and where there is none, a page that says so. Copies of boards are
// deleted when the site's files change, when a seat is left or changed, when any page of the table refuses
// this phone, and at the home page, which names the games that are this phone's.

const SHELL = "shell-{{ version }}";
const BOARDS = "boards-{{ version }}";
const BOARD = /^\/g\/[^/]+\/$/;
const GAME = /^\/g\/[^/]+\//;
const SEAT_CHANGED = /^(\/g\/[^/]+\/)seats\/[^/]+\/(?:leave|claim|request|host)$/;
const STATIC = /^\/(?:static\/|icons-)/;
const OFFLINE = "{% url "offline" %}";
const HELP = "{% url "manual" %}";
const MOST = 8;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => event.waitUntil(clean()));

async function clean() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== SHELL && name !== BOARDS).map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  const seat = request.method === "POST" && SEAT_CHANGED.exec(pathname);
  if (seat) event.waitUntil(forget(seat[1]));
  if (request.method !== "GET") return;
  if (STATIC.test(pathname)) event.respondWith(file(request));
  else if (request.mode === "navigate" && (pathname === "/" || BOARD.test(pathname)))
    event.respondWith(page(event, pathname));
  else if (request.mode === "navigate") event.respondWith(other(event, pathname));
});

/** A static file never changes under its name. */
async function file(request) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request.url, answer.clone());
  return answer;
}

async function page(event, pathname) {
  let answer;
  try {
    answer = await fetch(event.request);
  } catch {
    const kept = await (await caches.open(BOARDS)).match(pathname);
    return kept ?? shell(pathname);
  }
  if (answer.type === "basic" && answer.ok && !answer.redirected) event.waitUntil(keep(pathname, answer.clone()));
  else event.waitUntil(forget(pathname));
  if (answer.headers.has("X-Own-Games")) event.waitUntil(forgetOthers(answer.headers.get("X-Own-Games")));
  return answer;
}

/** A page that is not kept. */
async function other(event, pathname) {
  try {
    const answer = await fetch(event.request);
    if (answer.status === 403) event.waitUntil(forget(pathname));
    return answer;
  } catch {
    return shell(pathname);
  }
}

/** What is shown where nothing answers: the help itself, and for any other page that there is no connection. */
async function shell(pathname) {
  const kept = await (await caches.open(SHELL)).match(pathname === HELP ? HELP : OFFLINE);
  return kept ?? Response.error();
}

async function keep(pathname, answer) {
  const cache = await caches.open(BOARDS);
  await cache.delete(pathname);
  await cache.put(pathname, answer);
  const kept = await cache.keys();
  for (const old of kept.slice(0, Math.max(0, kept.length - MOST))) await cache.delete(old);
}

/** Delete the copy of a page, or of the board that it belongs to. */
async function forget(pathname) {
  await (await caches.open(BOARDS)).delete(GAME.exec(pathname)?.[0] ?? pathname);
}

/** Delete the boards of all games but these. */
async function forgetOthers(slugs) {
  const own = slugs.split(" ");
  for (const { url } of await (await caches.open(BOARDS)).keys()) {
    const board = GAME.exec(new URL(url).pathname)?.[0];
    if (board && !own.includes(board.split("/")[2])) await forget(board);
  }
}

// A first visit was drawn before this worker was there: the page names its files, and gives its board.
self.addEventListener("message", (event) => {
  const { files = [], page, html, gone, language } = event.data;
  const work = [];
  if (gone) work.push(forget(gone));
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  if (page && html) work.push(keep(page, new Response(html, { headers })));
  if (files.length) work.push(take(files));
  if (language) work.push(takeShell(language));
  event.waitUntil(Promise.all(work));
});

async function take(files) {
  const cache = await caches.open(SHELL);
  for (const address of files) if (!(await cache.match(address))) await cache.add(address).catch(() => {});
}

/** Keep the pages of the shell, in the language that this phone reads now, with their files. */
async function takeShell(language) {
  const cache = await caches.open(SHELL);
  for (const address of [OFFLINE, HELP]) {
    if ((await cache.match(address))?.headers.get("Content-Language") === language) continue;
    const answer = await fetch(address);
    if (!answer.ok) continue;
    await cache.put(address, answer.clone());
    await take((await answer.text()).match(/\/(?:static\/|icons-)[^"#]+/g) ?? []);
  }
}
