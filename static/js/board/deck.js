// A deck list, as deck sites write it: "4 Lightning Bolt", "4x Name", "1 Name (SET) 123", "SB: 1 Name",
// "Name x4", headings, comments. It is kept on this phone only: nothing here sends anything.

import * as storage from "../page/storage.js";

// A line that counts no card, made of these words and of those that the game's own groups have; or "Total Cards: 60".
const PARTS = "main side extra maybe sideboard maybeboard mainboard deck tokens token about name".split(" ");
const heading = (own) =>
  new RegExp(
    `^\\W*(?:${[...PARTS, ...own.filter(Boolean)].join("|")})(?:[ -]*(?:deck|board|list|cards?))?\\W*(?:\\d+\\W*)?$|^[\\p{L} ]+:\\s*\\d+$`,
    "iu",
  );
const TOKENS = /^\W*tokens?\b/iu;
const NAMED = /^(?:name|about|deck name)\s*[:=]?\s+\D/iu;
const COMMENT = /^(?:\/\/|#|;)/u;
const COUNTED = /^(?:sb:\s*)?(\d{1,3})\s*(?:[x×]\s+|\s)\s*(.+)$/iu;
const COUNT_LAST = /^(?:sb:\s*)?(.+?)\s+[x×]\s*(\d{1,3})$/iu;
// The rest of a line: set and number, a folder, the kind of print, a colour tag.
const AFTER = [
  /\s+\*[A-Z]{1,3}\*$/u,
  /\s+\^[^^]*\^$/u,
  /\s+#\S.*$/u,
  /\s+\[[^\]]*\](?:\s+[\w★-]{1,8})?$/u,
  /\s+\([A-Z0-9]{2,6}\)(?:\s+[\w★-]{1,8})?$/u,
  /\s+\([a-z0-9]{2,6}\)\s+\d[\w★-]{0,7}$/u,
  /\s+(?:[A-Z]{2,4}(?:-[A-Z]{2})?|Energy)\s+(?:[A-Z]{2})?\d{1,3}(?:\s+PH)?$/u,
  /\s+<[^>]*>$/u,
];
const GROUP = /\s\[(\p{L}[\p{L} &]+)[\]{]/u; // "1x Name (set) 1 [Commander{top}]"
const MARKED = /\s\*CMDR\*/u; // "1 Name *CMDR*"
/** *name*, however its spaces, commas and apostrophes are typed. */
export const plain = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

const LONGEST_NAME = 80;
const MOST_LINES = 2000;

function named(text) {
  let name = text.trim();
  for (let before = ""; before !== name; ) {
    before = name;
    for (const after of AFTER) name = name.replace(after, "").trim();
  }
  return name;
}

/**
 * Its cards, each name once: [{ name, count, under, token }], under: the words of their heading, token: whether these
 * are "Tokens"; how many cards that is without these; the lines not understood.
 * headings: what sites write above groups of this game's cards, besides "Sideboard" and the like.
 */
export function read(text, headings = []) {
  const isHeading = heading(headings);
  const cards = new Map();
  const lost = [];
  let total = 0;
  let under = "";
  for (const raw of text.split(/\r\n|\r|\n/u).slice(0, MOST_LINES)) {
    const line = raw.replace(/[\u200b\ufeff]/gu, "").replace(MARKED, " [Commander]").trim();
    if (isHeading.test(line)) under = line.toLowerCase().replace(/[^\p{L} -]/gu, "").trim();
    if (!line || COMMENT.test(line) || isHeading.test(line) || NAMED.test(line)) continue;
    const [, first, rest] = COUNTED.exec(line) ?? [];
    const [, before, last] = first ? [] : (COUNT_LAST.exec(line) ?? []);
    const count = Number(first ?? last ?? 0);
    const name = named(rest ?? before ?? "");
    if (!count || !/\p{L}/u.test(name) || name.length > LONGEST_NAME) {
      lost.push(line);
      under = "";
      continue;
    }
    const key = name.toLowerCase();
    const group = GROUP.exec(line)?.[1].toLowerCase() ?? under;
    const known = cards.get(key) ?? { name, count: 0, under: group, ...(TOKENS.test(group) && { token: true }) };
    known.count += count;
    cards.set(key, known);
    if (!known.token) total += count;
  }
  return { cards: [...cards.values()], total, lost };
}

const place = (system) => `deck:${system}`;

/** The list as it was pasted; "" if there is none. */
export const load = (system) => storage.text(place(system));

/** Keep the list for games of that system; "" deletes it. */
export const keep = (system, text) => storage.keepText(place(system), text.trim() && text);
