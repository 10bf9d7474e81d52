/** Weather: named lists of faults, set and ended together (CONTRACT 16). */
import { ofApp } from "#contract/apps.ts";
import { frozen } from "#contract/frozen.ts";
import { control, gone, answersOk as ok } from "#contract/rows.ts";
import { weatherAnswer, weatherInput } from "./contract/weather.ts";

const WEATHER = frozen({ source: "CONTRACT 16" } as const);

/** @see the file */
// biome-ignore format: the rows are a table
export const manifest = frozen({
  title: "Weather: named lists of faults",
  page: "faults.md",
  routes: {
    readWeather: control("GET", "weather", "Which weather is on, and which there is", ok(weatherAnswer),
      { ...WEATHER, query: ofApp, bound: "query" }),
    setWeather: control("PUT", "weather", "Set the weather: a named list of faults, replacing the current one",
      ok(weatherAnswer), { ...WEATHER, body: weatherInput, problems: ["unknown_record", "too_many_faults"],
        bound: "body" }),
    clearWeather: control("DELETE", "weather", "End the weather", gone, { ...WEATHER, query: ofApp, bound: "query" }),
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
