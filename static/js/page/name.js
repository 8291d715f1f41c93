// The name last given on this phone: offered where it is asked again, and kept nowhere else.

const KEY = "name";

export function last() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

export function keep(name) {
  try {
    if (name) localStorage.setItem(KEY, name);
  } catch {
    // Without storage it is asked again next time.
  }
}
