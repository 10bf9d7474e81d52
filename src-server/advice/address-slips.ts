/** Slips in the address of a request: method, path, query; and in the secret that admin takes (service.md 5.1, D12, D13). */
import { foldUsername, isJsonObject, readUuid } from "#contract/scalars.ts";
import { phoneValue } from "#contract/words/phone-words.ts";
import { meantByPath } from "#http/paths.ts";
import { pathWords, valueAtPath } from "./attempt.ts";
import { passcodePath } from "./passcode-slips.ts";
import type { SlipFinder, Tried } from "./slip.ts";
import { shownText, trimmedOf, uriDecoded } from "./texts.ts";

const path: SlipFinder = function* ({ attempt, verdict }) {
  if (verdict.stage !== "path") return;
  const { path: sent, listener } = attempt;
  const clean = sent.replace(/\/{2,}/g, "/");
  const tries: (readonly [path: string, why: string])[] = [];
  if (clean !== sent) tries.push([clean, "has two slashes in a row, as when a base URL ends with “/”"]);
  const decoded = trimmedOf(uriDecoded(clean).trim(), "", ".,;)]");
  if (decoded !== clean) tries.push([decoded, "has extra characters at its end"]);
  const meant = meantByPath(clean, listener);
  if (meant !== undefined) tries.push([meant.path, meant.why ?? "does not exist"]);
  const parts = clean.split("/");
  for (const end of [-1, -2])
    if (parts.length + end > 2) tries.push([parts.slice(0, end).join("/"), "has more after it than any operation"]);
  for (const [to, why] of tries)
    yield {
      code: "path",
      words: `The path ${sent.slice(0, 100)} ${why}.`,
      meant: { ...attempt, path: to },
      place: "path",
      send: to,
    };
};

const MEANT_METHODS: Readonly<Record<string, readonly string[]>> = {
  PATCH: ["PUT", "POST"],
  POST: ["PUT"],
  PUT: ["POST"],
};

const method: SlipFinder = function* ({ attempt, verdict, trial }) {
  const allowed = trial
    .operationsAt(attempt)
    .filter(([, { auth }]) => auth !== "session")
    .map(([, row]) => row.method);
  if (verdict.stage !== "method") return;
  const meant = (MEANT_METHODS[attempt.method] ?? []).filter((to) => allowed.some((one) => one === to));
  // Which of several was meant, only a body can say.
  if (meant.length < 2 || !attempt.isUnread)
    for (const to of meant)
      yield {
        code: "method",
        words: `${attempt.path.slice(0, 100)} does not take ${attempt.method}; it takes ${[...new Set(allowed)].join(", ")}.`,
        meant: { ...attempt, method: to },
        place: "method",
        send: to,
      };
};

/** A PUT without a passcode may be the request for one. */
const putForPost: SlipFinder = function* ({ attempt, verdict }) {
  const { app, operation, stage } = verdict;
  if (operation !== "authenticate" || stage !== "passcode" || app === undefined) return;
  const path = passcodePath(app);
  const value = valueAtPath(attempt.body, path);
  if ((value ?? null) !== null) return;
  yield {
    code: "method",
    words: `${value === null ? `“${pathWords(path)}” is null. ` : ""}A PUT must have a passcode. A POST requests one.`,
    meant: { ...attempt, method: "POST" },
    place: "method",
    send: "POST",
  };
};

const sameButForCase = ({ trial }: Tried, sent: string): string =>
  trial.world.apps.find(({ app }) => app.secret.toLowerCase() === sent.toLowerCase())?.app.secret ?? sent;

/** Ways to write a secret that are not quite `Bearer <APP_SECRET>`. */
function* secretForms(refused: Tried): Generator<readonly [words: string, secret: string]> {
  const { headers, attempt } = refused;
  const { authorization } = headers;
  const sent = typeof authorization === "string" ? authorization : "";
  const [, scheme = "", rest = ""] = /^(\w+)\s+(.*)$/s.exec(sent.trim()) ?? [];
  const bare = (scheme === "" ? sent : rest).trim();
  if (/^basic$/i.test(scheme)) {
    const decoded = Buffer.from(bare, "base64").toString("utf8");
    for (const part of decoded.split(":"))
      yield ["The Authorization header has the scheme Basic; it must be Bearer, a space and the secret.", part];
  }
  if (scheme !== "" && !/^bearer$/i.test(scheme))
    yield [
      `The Authorization header has the scheme ${scheme.slice(0, 20)}; it must be Bearer, a space and the secret.`,
      bare,
    ];
  if (scheme === "" && bare !== "")
    yield [
      "The Authorization header has no scheme; it must be Bearer, a space and the secret.",
      bare.replace(/^bearer\W*/i, ""),
    ];
  const around: readonly (readonly [string, string])[] = [
    ["is sent with “Bearer” twice", bare.replace(/^bearer\s+/i, "")],
    ["has quotation marks or brackets around it", trimmedOf(bare, " \"'`<{[(", " \"'`>}]),;")],
    ["is percent-encoded", bare.includes("%") ? bare.replace(/%20|%0A|%0D/gi, "").trim() : bare],
    ["is encoded as Base64", Buffer.from(bare, "base64").toString("utf8").trim()],
    ["differs by upper and lower case", sameButForCase(refused, bare)],
  ];
  for (const [words, secret] of around)
    if (secret !== bare) yield [`The secret in the Authorization header ${words}.`, secret];
  for (const [name, value] of Object.entries(headers))
    if (name !== "authorization" && name !== "host" && typeof value === "string")
      yield [
        `The secret was sent in the header ${name}; it must be in Authorization, after “Bearer ”.`,
        value.replace(/^bearer\s+/i, "").trim(),
      ];
  for (const [name, value] of attempt.query)
    yield [
      `The secret was sent in the query, as “${name}”; it must be in the Authorization header, after “Bearer ”.`,
      value,
    ];
  if (isJsonObject(attempt.body))
    for (const [name, value] of Object.entries(attempt.body).slice(0, 50))
      if (typeof value === "string")
        yield [
          `The secret was sent in the body, as “${name}”; it must be in the Authorization header, after “Bearer ”.`,
          value,
        ];
}

const secret: SlipFinder = function* (refused) {
  const { attempt, verdict, trial } = refused;
  if (verdict.stage !== "secret") return;
  for (const [words, found] of secretForms(refused))
    if (found !== "" && trial.world.appBySecret(found) !== undefined)
      yield { code: "secret_form", words, meant: { ...attempt, secret: found }, place: "header.authorization" };
};

/** An id of the path that is something else of the user, or written in another way. */
const profileId: SlipFinder = function* ({ attempt, verdict, trial }) {
  const { app, stage } = verdict;
  if (stage !== "profile" || app === undefined) return;
  const parts = attempt.path.replace(/\/$/, "").split("/");
  const at = parts.length - 1;
  const sent = uriDecoded(parts[at] ?? "");
  const to = (id: string, words: string) => ({
    code: "profile_id",
    words: `The id in the path is ${shownText(trial.world, sent)}, which ${words}.`,
    meant: { ...attempt, path: parts.with(at, id).join("/") },
    place: "path",
    send: parts.with(at, id).join("/"),
  });
  const bare = sent.replace(/^urn:uuid:/i, "").replace(/[^0-9a-f-]/gi, "");
  const hex = bare.replaceAll("-", "");
  const uuid =
    hex.length === 32 ? readUuid(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")) : undefined;
  if (uuid !== undefined && uuid !== sent.toLowerCase()) yield to(uuid, "is a UUID in another form");
  const sought = sent.trim().replace(/^ /, "+");
  const phone = phoneValue(sought);
  const user =
    app.profileByUsername(sought) ??
    app.profileByUsername(phone) ??
    app.profiles
      .slice(0, 5_000)
      .find((one) => one.phone === phone || (one.email !== null && foldUsername(one.email) === foldUsername(sought)));
  if (user !== undefined)
    yield to(
      user.userId,
      `is a ${sought.includes("@") ? "user’s email" : "user’s phone"}; the path takes the user’s id`,
    );
  const id = readUuid(sent) ?? "";
  for (const noun of ["sessions", "passcodes", "connections"] as const) {
    const record = app.find(noun, id);
    if (record !== undefined)
      yield to(record.userId, `is the id of a ${noun.slice(0, -1)}; the path takes the user’s id`);
  }
};

/** What is wrong with an address or a secret, likeliest first. */
export const ADDRESS_SLIPS: readonly SlipFinder[] = [path, method, secret, profileId];
/** What may be meant instead of a PUT without a passcode; after what is looked for in the body. */
export const METHOD_SLIPS: readonly SlipFinder[] = [putForPost];
