// Your own board and the help without a connection, where the browser allows it (https, or this machine): a
// worker keeps the page's files, the last whole board, and the help unless this phone saves data.

const live = document.getElementById("live");
const SETTLED = 3000;
let timer = 0;
let worker = null;
let pattern = null;

const tell = (news) => worker?.postMessage(news);

function files() {
  return performance
    .getEntriesByType("resource")
    .map((entry) => entry.name)
    .filter((address) => /^\/(?:static\/|icons-)/.test(new URL(address).pathname));
}

/** The page as it came, with the board as it is now. Nothing while taps wait: they come on top again. */
async function keep() {
  timer = 0;
  if (!worker || !live || live.dataset.over || document.querySelector("b.is-waiting")) return;
  if (document.body.classList.contains("is-stale")) return;
  pattern ??= await (await fetch(location.pathname)).text();
  const page = new DOMParser().parseFromString(pattern, "text/html");
  const number = document.getElementById("seq").dataset.seq;
  page.getElementById("board")?.replaceWith(page.importNode(document.getElementById("board"), true));
  page.getElementById("seq").dataset.seq = number;
  const line = page.getElementById("live");
  line.setAttribute("hx-ws:connect", line.getAttribute("hx-ws:connect").replace(/from=\d*/, `from=${number}`));
  tell({ page: location.pathname, html: `<!doctype html>\n${page.documentElement.outerHTML}` });
}

const later = () => (timer ||= setTimeout(() => keep().catch(() => {}), SETTLED));

/** This phone no longer has a place at this table, so its copy is deleted. */
function gone() {
  clearTimeout(timer);
  tell({ gone: location.pathname });
}

async function begin() {
  await navigator.serviceWorker.register("/worker.js");
  worker = (await navigator.serviceWorker.ready).active;
  const saves = navigator.connection?.saveData;
  tell({ files: files(), language: saves ? "" : document.documentElement.lang });
  if (!live) return;
  later();
  document.addEventListener("table:changed", later);
  document.addEventListener("table:over", gone);
}

if (window.isSecureContext && navigator.serviceWorker) {
  const soon = () => begin().catch(() => {});
  if (document.readyState === "complete") soon();
  else addEventListener("load", soon, { once: true });
}
