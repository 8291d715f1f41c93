// The games that this phone keeps: each with its title, how many rules it has, and its definition as the
// word that stands in links. They are nowhere else.

const KEY = "games";
const MOST = 50;

export function all() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((each) => typeof each?.packed === "string") : [];
  } catch {
    return [];
  }
}

function store(games) {
  try {
    localStorage.setItem(KEY, JSON.stringify(games.slice(0, MOST)));
    return true;
  } catch {
    return false; // without storage, the link and the file are still there
  }
}

export function keeps(packed) {
  return all().some((each) => each.packed === packed);
}

export function keep({ title, rules, packed }) {
  return store([{ title, rules: Number(rules), packed }, ...all().filter((each) => each.packed !== packed)]);
}

export function forget(packed) {
  store(all().filter((each) => each.packed !== packed));
}
