// The names given on this phone, the last one first: offered where one is asked for, and kept nowhere else.

import * as storage from "./storage.js";

const MOST = 6;
export const known = () => storage.read("names", [storage.text("name")]).filter(Boolean);

export function keep(name) {
  if (name) storage.keep("names", [...new Set([name, ...known()])].slice(0, MOST));
}
