/** Simulated failures. */
import type { OfApp } from "./of-app.ts";
import type * as R from "./records.ts";
import { segment, type Transport } from "./transport.ts";

/** Simulated failures: `await client.faults.add({ match: { to }, effect: { status: 503 }, times: 1 })`. */
export const createFailures = ({ ask, tell }: Transport) => ({
  /** Simulated failures of admin and auth. */
  faults: {
    add: (body: R.FaultInput): Promise<R.Fault> => ask("POST", "faults", { body }),
    get: (id: string): Promise<R.Fault> => ask("GET", `faults/${segment(id)}`),
    list: (of?: OfApp): Promise<R.List<R.Fault>> => ask("GET", "faults", { query: of }),
    remove: (id: string): Promise<void> => tell("DELETE", `faults/${segment(id)}`),
    /** Deletes all faults, or those of an app. */
    clear: (of?: OfApp): Promise<void> => tell("DELETE", "faults", { query: of }),
  },
  /** Weather: named lists of faults. */
  weather: {
    /** @returns which is on, and which there is. */
    get: (of?: OfApp): Promise<R.Weather> => ask("GET", "weather", { query: of }),
    /** Sets it instead of the one that is on: `await client.weather.set("tunnel", { appId, seed: 42 })`. */
    set: (name: string, options: Omit<R.WeatherInput, "name"> = {}): Promise<R.Weather> =>
      ask("PUT", "weather", { body: { ...options, name } }),
    /** Ends the weather, everywhere or of an app. */
    clear: (of?: OfApp): Promise<void> => tell("DELETE", "weather", { query: of }),
  },
});
