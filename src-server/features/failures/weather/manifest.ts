/** Weather: named lists of faults, set and ended together. */

import { control, gone, answersOk as ok } from "#contract/control/rows.ts";
import { frozen } from "#contract/frozen.ts";
import { ofApp } from "#contract/service/apps.ts";
import { weatherAnswer, weatherInput } from "./contract/weather.ts";

/** @see the file */
// biome-ignore format: the rows are a table
export const manifest = frozen({
  title: "Weather: named lists of faults",
  page: "faults.md",
  routes: {
    readWeather: control("GET", "weather", "Which weather is on, and which there is", ok(weatherAnswer),
      { query: ofApp, bound: "query" }),
    setWeather: control("PUT", "weather", "Set the weather: a named list of faults, replacing the current one",
      ok(weatherAnswer), { body: weatherInput, problems: ["unknown_record", "too_many_faults"],
        bound: "body" }),
    clearWeather: control("DELETE", "weather", "End the weather", gone, { query: ofApp, bound: "query" }),
  },
  types: {
    Weather: [weatherAnswer, "The weather that is on, and what there is."],
    WeatherInput: [weatherInput, "Which weather to set. `seconds` are real seconds."],
  },
  tags: {
    weather: "Named lists of faults.",
  },
  examples: {
    setWeather: { appId: "demo-app", name: "rush-hour", seed: 42, seconds: 600 },
  },
} as const);
