/** What becomes of the counts of login coverage, as its manifest says. */
import { manifest } from "#features/failures/coverage/manifest.ts";
import { freshPhone } from "#test/http/control/support.ts";
import { testState } from "./states.ts";

testState(manifest.state.counts, {
  change: ({ auth }, appId) => auth("POST", "/v1/users/session", { appId, user: { phone: freshPhone() } }),
  read: async ({ control }, appId) => (await control("GET", `/coverage${appId ? `?appId=${appId}` : ""}`)).json.met,
});
