/**
 * The law of Measuring a Stagedoor with any settings S finds S, except what is reported as not observable.
 * CONFORM_RUNS sets how many S are tried.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { effectiveSettings, valueAt } from "#contract/service/effective-settings.ts";
import { sameValue } from "#programs/conform/measure/observation.ts";
import { harness, PHONE } from "#test/http/decisions/support.ts";
import { anySettings, MEASURED } from "../settings.ts";
import { leftIn, measure } from "../support.ts";

const RUNS = Number(process.env["CONFORM_RUNS"] ?? 30);
const SEED = 20_261_122;

/** What shows in no list whose pages have one profile each, whatever is asked for. */
const ONE_A_PAGE = /^list\.(limitParameter|pageParameter|defaultLimit|maxLimit|overLimit|badParameter|firstPage)$/;

const house = harness();

test(`finds ${RUNS} random settings, by phone and by email, and cleans up`, { timeout: 3_600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anySettings, fc.constantFrom("phone", "email"), async (settings, strategy) => {
      const app = await house.app({ settings, strategy });
      const username = strategy === "phone" ? PHONE : "ada@example.com";
      await app.admin("POST", "/v1/profiles", { name: "Ada", phone: PHONE, email: "ada@example.com" });
      const { rows, isTidy } = await measure(house, app, { username });
      const own = effectiveSettings(settings);
      const { defaultLimit, maxLimit, overLimit, pageParameter } = own.list;
      const hidden = [
        ...(defaultLimit >= maxLimit ? ["list.defaultLimit"] : []),
        ...(pageParameter === "offset" ? ["list.firstPage"] : []),
        ...(maxLimit === 1 && overLimit === "cut" ? MEASURED.filter((path) => ONE_A_PAGE.test(path)) : []),
      ];
      const seen = rows.filter(({ setting }) => setting !== null && MEASURED.includes(setting));
      expect(seen.map(({ setting }) => setting).toSorted()).toEqual(MEASURED.toSorted());
      const unseen = seen.filter(({ verdict }) => verdict === "notObservable").map(({ setting }) => setting);
      expect(unseen.filter((path) => !hidden.includes(path ?? ""))).toEqual([]);
      const wrong = seen.filter(
        ({ setting, observed }) => !hidden.includes(setting ?? "") && !sameValue(observed, valueAt(own, setting ?? "")),
      );
      expect(wrong).toEqual([]);
      expect([isTidy, await leftIn(house, app)]).toEqual([true, 0]);
      await house.control("DELETE", `/apps/${app.appId}`);
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
});
