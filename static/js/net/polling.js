// Polling, where no socket opens (a proxy or network blocks it): taps go by POST, and the board is fetched every few
// seconds until a socket opens.

import { look } from "../board/sidebar.js";
import { open } from "./connection.js";
import * as outbox from "./outbox.js";

const EVERY = 3000;
const live = document.getElementById("live");
const banner = document.getElementById("connection");
const token = document.querySelector("#t [name=csrfmiddlewaretoken]")?.value ?? "";
let busy = false;
let without = 0;

/** Give one command by POST; false if the server did not answer. It takes each id once. */
async function post(command) {
  const answer = await fetch("command", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    body: JSON.stringify(command),
  });
  if (answer.ok) {
    outbox.settle([command.id], [], [Number(answer.headers.get("X-Entry"))]);
    return true;
  }
  if (!answer.headers.get("Content-Type")?.includes("json")) return false;
  const { refused } = await answer.json();
  if (refused) outbox.refuse({ ...refused, id: command.id });
  return Boolean(refused);
}

async function follow() {
  await htmx.ajax("GET", location.pathname, { target: "#board", select: "#board", swap: "outerMorph", source: "#board" });
  document.dispatchEvent(new CustomEvent("table:changed", { detail: {} }));
}

/** Fetch the sidebar; throws if nothing answers. If this page no longer has its seat, load a new page. */
async function around() {
  const answer = await fetch("sidebar");
  if (!answer.ok) return;
  if ((answer.headers.get("X-Seat") ?? "") !== live.dataset.seat) location.replace(location.pathname);
  document.getElementById("sidebar").outerHTML = await answer.text();
  look();
}

/** Disconnected twice in a row: a connection that is only reconnecting needs no polling. */
async function go() {
  without = open() || document.hidden || live.dataset.over ? 0 : without + 1;
  if (busy || without < 2) return;
  busy = true;
  try {
    for (const item of [...outbox.waiting()]) if (open() || !(await post(item.command))) break;
    if (!open()) {
      await around();
      await follow();
      if (!open()) banner.textContent = banner.dataset.slow;
    }
  } catch {
    // Nothing answers: the banner says so, and the taps wait.
  } finally {
    busy = false;
  }
}

setInterval(go, EVERY);
