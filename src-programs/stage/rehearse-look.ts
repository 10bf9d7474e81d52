/** Looks at the stage in a browser at the size of the show: whether words and codes of each person fit. */

import { z } from "zod";
import type { Client } from "#client/index.ts";
import { isLoopbackUrl } from "#contract/words/loopback.ts";
import { BrowserPage } from "./browser-page.ts";
import { type Person, personName, type StageCheck } from "./rehearse-stories.ts";

/** How long a state of the phone may take, in milliseconds: a slow person has two seconds a request. */
const WAIT_MS = 15_000;
/** People with a key. */
const KEYED = 9;

/** Evaluated in the stage. Gives what is cut off, covered, outside of the window or too small. */
const LOOK = `(() => {
  const found = new Set();
  const words = (element) => JSON.stringify((element.textContent ?? "").trim().slice(0, 60));
  const isText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
  const isHidden = (element) => element.closest(".spoken, [data-testid=card], [data-testid=message]") !== null || element.closest("[aria-hidden=true]:not(kbd)") !== null;
  const isSeen = (element) => element.checkVisibility() && !isHidden(element);
  // A part that is higher than its place is clipped there. Lines of text may be a little higher than they look.
  const isClipped = (element, box, cut) => {
    const { display, fontSize } = getComputedStyle(element);
    const slack = display === "inline" ? 0.25 * Number.parseFloat(fontSize) : 1;
    for (let up = (cut ?? element).parentElement; up !== null && up.localName !== "main"; up = up.parentElement) {
      if (getComputedStyle(up).overflowY === "visible") continue;
      const place = up.getBoundingClientRect();
      if (box.bottom > place.bottom + slack || box.top < place.top - slack) return true;
    }
    return false;
  };
  for (const element of document.querySelectorAll("main > header *, main > div *, main > section *, main > footer *")) {
    if (!isText(element) || !isSeen(element)) continue;
    const box = element.getBoundingClientRect();
    const cut = element.closest(".cut");
    if (cut !== null && !cut.matches(".mono") && cut.scrollWidth > cut.clientWidth + 1) found.add(words(cut) + " is cut off");
    if (isClipped(element, box, cut)) found.add((element.localName === "kbd" ? "the key " : "") + words(element) + " is cut off");
    const wire = cut?.matches(".mono") ? cut.getBoundingClientRect() : box;
    const right = Math.min(box.right, wire.right);
    if (box.left < 0 || box.top < 0 || right > innerWidth + 1 || box.bottom > innerHeight + 1) found.add(words(element) + " is outside of the window");
    else {
      const above = document.elementFromPoint((box.left + right) / 2, (box.top + box.bottom) / 2);
      // The large digits reach over the lines beside them, without hiding them.
      const isBeside = above?.closest("[data-testid=hero], [data-empty]") != null;
      if (above === null || !(isBeside || element.contains(above) || above.contains(element))) found.add(words(element) + " is covered");
    }
  }
  const hero = document.querySelector("[data-testid=hero]");
  const share = hero === null ? 1 : (Number.parseFloat(getComputedStyle(hero).fontSize) * 0.73) / innerHeight;
  if (share < 0.119) found.add("the code has less than 12 % of the window's height");
  return [...found];
})()`;

/** Evaluated in the phone. */
const LOOK_AT_PHONE = `(() => {
  const root = document.scrollingElement ?? document.documentElement;
  const wide = [...document.querySelectorAll("h1, p, label, button, bdi")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline");
  const found = wide.map((one) => JSON.stringify((one.textContent ?? "").trim().slice(0, 60)) + " is too wide for the phone");
  if (root.scrollWidth > root.clientWidth + 1) found.push("the phone's page is wider than the phone");
  return found;
})()`;

const found = z.array(z.string());
const press = (key: string, code: string): string =>
  `window.dispatchEvent(new KeyboardEvent("keydown", ${JSON.stringify({ key, code, bubbles: true })}))`;
const stands = (...states: readonly string[]): string =>
  `${JSON.stringify(states)}.includes(document.querySelector("main")?.dataset.state)`;
const ENDED = stands("signedIn", "expired", "locked", "failed", "offline", "wrong");
/** The pages and fonts are there, and two frames are drawn. */
const DRAWN =
  "document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))";
const KEPT_ID = `JSON.parse(localStorage.getItem("stagedoor.stages") ?? "[]")[0]?.appId ?? ""`;

/**
 * @param browser its path. @param url of the stage. @param people in the order of their keys.
 * @returns a check for the stage at rest, and for each person with a key.
 */
export const checkLook = async (
  client: Client,
  {
    browser,
    url,
    size,
    people,
  }: { browser: string; url: string; size: readonly [number, number]; people: readonly Person[] },
): Promise<StageCheck[]> => {
  const page = await BrowserPage.open(browser, size);
  const { origin, hostname } = new URL(url);
  const { auth } = (await client.status()).urls;
  const phone = isLoopbackUrl(auth) ? Object.assign(new URL(auth), { hostname }).origin : auth;
  const look = async (who: string): Promise<string[]> => {
    await page.evaluate(origin, DRAWN);
    const both = [await page.evaluate(origin, LOOK), await page.evaluate(phone, LOOK_AT_PHONE)];
    return both.flatMap((one) => found.parse(one)).map((what) => `${who}: ${what}`);
  };
  const checks: StageCheck[] = [];
  const add = (who: string, wrong: readonly string[]): void => {
    if (wrong.length === 0) checks.push({ level: "ok", text: `${who} fits ${size.join("x")}` });
    else checks.push(...[...new Set(wrong)].map((text): StageCheck => ({ level: "bad", text })));
  };
  try {
    await page.goto(url);
    if (!(await page.until(origin, stands("idle"), WAIT_MS))) {
      add("The stage", ["The stage does not open in the browser"]);
      return checks;
    }
    add("The stage", await look("The stage"));
    for (const [at, person] of people.slice(0, KEYED).entries()) {
      const who = personName(person);
      await page.evaluate(origin, press(`${at + 1}`, `Digit${at + 1}`));
      const asked = await page.until(origin, `${ENDED} || ${stands("code")}`, WAIT_MS);
      const wrong = asked ? await look(who) : [`${who}: the phone does not get to a code`];
      await page.evaluate(origin, press(" ", "Space"));
      // Whose message never arrives has nothing to type.
      if (person.scenario !== "noDelivery" && (await page.until(origin, ENDED, WAIT_MS)))
        wrong.push(...(await look(who)));
      add(who, wrong);
      await page.evaluate(origin, press("r", "KeyR"));
      await page.until(origin, stands("idle"), WAIT_MS);
    }
    const appId = z.string().parse(await page.evaluate(origin, KEPT_ID));
    if (appId !== "") await client.apps.delete(appId);
    return checks;
  } finally {
    await page.close();
  }
};
