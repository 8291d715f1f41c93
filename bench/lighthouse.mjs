// Lighthouse on phone emulation for each page and each demo game, against a running table:
//
//   npm install --no-save lighthouse puppeteer-core      (anywhere; not part of this project)
//   NODE_PATH=... node bench/lighthouse.mjs http://localhost:8000 LINK-OF-A-HOST...
//
// It opens each host's link first, as a phone does, so that the board is a seat's own, with its live
// line, and asks for everything anew. Fails below 95 for performance, accessibility or best practices.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.env.NODE_PATH ?? process.cwd()}/`);
const { default: lighthouse } = await import(pathToFileURL(require.resolve("lighthouse")));
const { default: puppeteer } = await import(pathToFileURL(require.resolve("puppeteer-core")));

const [site, ...links] = process.argv.slice(2);
const LEAST = 95;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
let low = 0;

async function measure(page, address) {
  const flags = { onlyCategories: CATEGORIES, logLevel: "error" };
  const { lhr } = await lighthouse(address, flags, undefined, page);
  const scores = CATEGORIES.map((name) => [name, Math.round(lhr.categories[name].score * 100)]);
  const facts = ["first-contentful-paint", "largest-contentful-paint", "cumulative-layout-shift", "total-blocking-time"];
  const said = facts.map((name) => `${name} ${lhr.audits[name].displayValue}`);
  console.log(`${new URL(address).pathname}: ${scores.map((each) => each.join(" ")).join(", ")} (${said.join(", ")})`);
  for (const [name, score] of scores) {
    if (score < LEAST && name !== "seo") low += 1;
    for (const { id, weight } of lhr.categories[name].auditRefs)
      if (weight && lhr.audits[id].score !== null && lhr.audits[id].score < 0.9) console.log(`    ${name}: ${id} ${lhr.audits[id].displayValue ?? ""}`);
  }
}

for (const link of ["", ...links]) {
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROME_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage();
  if (link) {
    await page.goto(new URL(new URL(link).pathname, site).href);
    const board = new URL(new URL(page.url()).pathname, site).href;
    await measure(page, board);
    const more = link === links[0] ? ["share", "tv", "flat", "summary", "replay", "log"] : [];
    for (const path of more) await measure(page, `${board}${path}`);
  } else {
    for (const path of ["/", "/new?rules=magic", "/about"]) await measure(page, new URL(path, site).href);
  }
  await browser.close();
}
process.exitCode = low ? 1 : 0;
