// What this device keeps. Where a browser blocks storage, or holds what is no JSON, nothing was kept, and what is there
// lasts as long as the page. tab: whether it is kept for this tab alone.

const place = (tab) => (tab ? sessionStorage : localStorage);

/** The text that was kept as *key*; "" if there is none. */
export function text(key, tab = false) {
  try {
    return place(tab).getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** Keep a text as *key*; "" deletes it. Returns whether it is kept. */
export function keepText(key, said, tab = false) {
  try {
    if (said) place(tab).setItem(key, said);
    else place(tab).removeItem(key);
    return true;
  } catch {
    return false;
  }
}

export function read(key, otherwise, tab = false) {
  try {
    return JSON.parse(text(key, tab)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export const keep = (key, value, tab = false) => keepText(key, JSON.stringify(value), tab);
