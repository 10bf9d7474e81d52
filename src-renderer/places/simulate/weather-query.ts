import { ofApp } from "../../api/emulator.ts";
import { query } from "../../api/queries.ts";

/** The weather that is on and that there is, of an app or of all; as events have only its faults, read when it is shown. */
export const weatherQuery = (appId: string | null) => ({
  ...query(["weather", appId], (client) => client.weather.get(ofApp(appId))),
  staleTime: 0,
});
