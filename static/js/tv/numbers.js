// Most frames change numbers and nothing else. A big screen writes those itself, as htmx's parsing and
// swapping takes a weak one longer than all the rest.

import { mirror } from "../board/numbers.js";

const live = document.getElementById("live");
const NUMBERS = /^(?:<b id="[^"]+" hx-swap-oob="true">-?\d+<\/b>)+<data id="seq"[^>]*><\/data>$/;
const NUMBER = /<b id="([^"]+)" hx-swap-oob="true">(-?\d+)<\/b>/g;

live.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const text = event.detail.message.data;
  if (typeof text !== "string" || !NUMBERS.test(text)) return;
  const found = [...text.matchAll(NUMBER)].map(([, id, number]) => [document.getElementById(id), number]);
  if (found.some(([element]) => !element)) return;
  event.preventDefault();
  for (const [element, number] of found) element.textContent = number;
  mirror();
  htmx.trigger(live, "htmx:ws:after:message:incoming", event.detail);
});
