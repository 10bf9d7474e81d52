import { ofApp } from "../../api/emulator.ts";
import { query } from "../../api/queries.ts";

/** The weather that is on and that there is, of an app or of all; as events have only its faults, read when it is shown. @param on which is on: another one is read anew. */
export const weatherQuery = (appId: string | null, on = "") => ({
  ...query(["weather", appId, on], (client) => client.weather.get(ofApp(appId))),
  staleTime: 0,
});
