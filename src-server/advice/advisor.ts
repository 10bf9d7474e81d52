/** Advises on requests that have been answered: the one place that makes advice. */

import { BOUNDS } from "#contract/bounds.ts";
import { givesSession } from "#contract/control/login-end.ts";
import type { Advice } from "#contract/control/requests.ts";
import { Recent } from "#contract/recent.ts";
import { cutText, foldUsername } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { PASSCODE_NAMES } from "#contract/service/wire-body.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { nameOf } from "#domain/profile-rules.ts";
import type { Store } from "#domain/store.ts";
import type { AppWorld } from "#domain/world.ts";
import type { Deps } from "#http/deps.ts";
import type { Advise, Exchange } from "#http/traffic/exchange.ts";
import { attemptOf, pathWords, valueAtPath } from "./attempt.ts";
import { roundedNumbers } from "./body-slips.ts";
import { createFates, type Fates } from "./history.ts";
import { adviceOnRepetition, type Rows } from "./lost-answers.ts";
import { nearUsers } from "./near-users.ts";
import { passcodePath } from "./passcode-slips.ts";
import { adviceOnRefusal, MOST_ADVICE } from "./refused.ts";
import { createTrial, type Trial } from "./trial.ts";

/** Two POSTs of one user within so many milliseconds are one press too many. */
const TWICE_MS = 300;
const MOST_USERS = 1_000;
const NONE: readonly Advice[] = [];

/** A value in it can be as long as a body. */
const cut = (one: Advice): Advice => ({ ...one, text: cutText(one.text, BOUNDS.logAdviceLength.most) });
const leafOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1);
const quoted = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(", ");

/** @param before advice that names some of the fields already. */
const ignored = ({ ignoredFields }: Exchange, before: readonly Advice[]): Advice[] => {
  const left = ignoredFields.filter((name) => !before.some(({ text }) => text.includes(`“${name}”`)));
  if (left.length === 0) return [];
  return [{ code: "ignored", text: `${quoted(left)} ${left.length === 1 ? "is" : "are"} ignored here.` }];
};

/** A code that was taken although it is no text: a number has no leading zeros. */
const codeAsNumber = (row: Exchange, app: AppWorld | undefined): Advice[] => {
  if (row.operation !== "authenticate" || app === undefined || row.status >= 300) return [];
  const path = passcodePath(app);
  const value = valueAtPath(attemptOf(row)?.body, path);
  if (typeof value !== "number") return [];
  const { length } = effectiveSettings(app.app.settings).passcode;
  const text = `“${pathWords(path)}” was sent as the number ${value}. Send it as a string, “${String(value).padStart(length, "0")}”: a number loses the zeros at its beginning.`;
  return [{ code: "passcode_number", text }];
};

const rounded = ({ requestBody }: Exchange): Advice[] =>
  requestBody === null
    ? []
    : roundedNumbers(requestBody.toString("utf8")).map(([sent, kept]) => ({
        code: "number_rounded",
        text: `The number ${sent} was kept as ${kept}: JSON numbers are doubles. Send it as a string to keep every digit.`,
      }));

export class Advisor {
  readonly #store: Pick<Store, "world">;
  readonly #trial: Trial;
  readonly #fates: Fates;
  readonly #rows: Rows;
  /** The last POST of each user, oldest first. */
  readonly #posts = new Recent<string, Pick<Exchange, "id" | "startedMs" | "status">>(MOST_USERS);

  constructor(deps: Pick<Deps, "store" | "env" | "log">, refusedSecrets: ReadonlySet<string>) {
    this.#store = deps.store;
    this.#rows = deps.log;
    this.#fates = createFates(deps.store.history, deps.log);
    this.#trial = createTrial(deps, refusedSecrets);
  }

  /** @returns the advice on a row that has ended. Expensive advice is computed when it is read. */
  advise(row: Exchange): Advise {
    if (row.listener === "console") return () => NONE;
    const { operation, status } = row;
    const isLogin = operation === "startSession" || operation === "authenticate";
    const before = isLogin || status >= 400 ? this.#atOnce(row).map(cut) : NONE;
    // Whoever has had the username is meant, and no one near.
    const isKnown = before.some(({ code }) => code === "past_user");
    return (isBrief) => {
      const near = isBrief || isKnown ? NONE : this.#nearUser(row);
      const all = [...before, ...[...near, ...rounded(row), ...ignored(row, before)].map(cut)];
      return status < 400 ? all : all.slice(0, MOST_ADVICE);
    };
  }

  /** Of the app's settings and the user's codes as they are now. */
  #atOnce(row: Exchange): Advice[] {
    const repeated = adviceOnRepetition(row, this.#rows);
    const refused = adviceOnRefusal(row, this.#trial.seenBy(row.appId), this.#fates);
    return [
      ...this.#sentBefore(row),
      ...(repeated === undefined ? refused : [repeated, ...refused.filter(({ code }) => code !== row.reason)]),
      ...this.#passcodeInPost(row),
      ...codeAsNumber(row, this.#store.world.app(row.appId ?? "")),
      ...this.#sentTwice(row),
    ];
  }

  #passcodeInPost(row: Exchange): Advice[] {
    const { operation, status, appId, ignoredFields } = row;
    if (operation !== "startSession" || status >= 300 || ignoredFields.length === 0) return [];
    const app = this.#store.world.app(appId ?? "");
    const own = leafOf(effectiveSettings(app?.app.settings ?? {}).wire.passcodeField);
    const found = ignoredFields.find((path) => leafOf(path) === own || PASSCODE_NAMES.includes(leafOf(path)));
    if (found === undefined) return [];
    const then = status === 202 ? " It sent a new code, so the one that was entered no longer works." : "";
    const text = `The POST has a passcode in “${found}”, which only a PUT reads.${then} Send the passcode with PUT.`;
    return [{ code: "passcode_in_post", text }];
  }

  /** A code that was sent to what the user's phone or email no longer is (`passcode.afterChange`). */
  #sentBefore({ operation, status, reason, appId, userId, login }: Exchange): Advice[] {
    const isRefused = reason === "passcode_not_sent";
    const app =
      operation === "authenticate" && (status < 300 || isRefused) ? this.#store.world.app(appId ?? "") : undefined;
    if (app === undefined || login === null || userId === null) return [];
    const typed = login.typed ?? "";
    const code = app.of("passcodes", userId).findLast((one) => one.code === typed.padStart(one.code.length, "0"));
    if (code === undefined || foldUsername(code.to) === foldUsername(login.to)) return [];
    const sent = `The code ${code.code} was sent to ${recipientText(code.to)}, before that changed to ${recipientText(login.to)}.`;
    const then = isRefused
      ? "By the app’s passcode.afterChange it no longer works: request a new code with a POST."
      : "Whether it still works is set by the app’s passcode.afterChange.";
    return [{ code: "sent_before_change", text: `${sent} ${then}` }];
  }

  #sentTwice({ id, operation, appId, login, startedMs, status }: Exchange): Advice[] {
    if (operation !== "startSession" || login === null || appId === null || status === 0 || status >= 400) return [];
    const key = `${appId}\n${foldUsername(login.to)}`;
    const last = this.#posts.get(key);
    this.#posts.set(key, { id, startedMs, status });
    if (last === undefined || startedMs - last.startedMs > TWICE_MS) return [];
    const before = `${Math.round(startedMs - last.startedMs)} ms before (request ${last.id})`;
    // Without a code the first one has signed the user up.
    const then = last.status === 202 ? "Only the newest code works" : "That one signed the user up";
    const text = `The same POST came ${before}. ${then}: send one POST for each press.`;
    return [{ code: "sent_twice", text }];
  }

  #nearUser(row: Exchange): Advice[] {
    const { operation, login, appId, seq, reason } = row;
    const isNew = operation === "startSession" && givesSession(row);
    const app = isNew || reason === "unknown_user" ? this.#store.world.app(appId ?? "") : undefined;
    if (app === undefined || login === null) return [];
    return nearUsers(app, login.to, seq).map(({ profile, username, by }) => {
      const is = isNew ? "is new, and signed up" : "is unknown";
      const who = profile.name === null ? "There is a user" : `There is ${nameOf(profile)},`;
      const text = `${recipientText(login.to)} ${is}. ${who} ${recipientText(username)}, which differs ${by}.`;
      return { code: "near_user", text, send: username };
    });
  }
}
