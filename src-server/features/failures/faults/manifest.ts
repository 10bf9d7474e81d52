/** Faults: simulated failures of admin and auth, messages that they delay or double, and weather: named lists of faults. */
import { z } from "zod";
import { answersMade, answersOk, control, gone } from "#contract/control/rows.ts";
import { ofApp } from "#contract/service/apps.ts";
import { faultEffect, faultInput, faultMatch } from "#contract/service/faults.ts";
import { passcodeItem } from "#contract/service/passcodes.ts";
import { faultItem, faultList, faultQuery, weatherAnswer, weatherInput } from "./contract/faults.ts";

// biome-ignore format: the rows are a table
export const manifest = {
  routes: {
    listFaults: control("GET", "faults", "List faults with their counters", answersOk(faultList),
      { query: faultQuery, bound: "query" }),
    addFault: control("POST", "faults", "Create a fault for matching requests", answersMade(faultItem),
      { body: faultInput, problems: ["unknown_record", "too_many_faults"], bound: "match" }),
    clearFaults: control("DELETE", "faults", "Delete all faults, or those of an app", gone,
      { query: ofApp, bound: "query", isDrastic: true }),
    readFault: control("GET", "faults/:id", "Read a fault", answersOk(faultItem), { bound: "own" }),
    removeFault: control("DELETE", "faults/:id", "Delete a fault", gone, { bound: "own" }),
    deliverPasscode: control("POST", "passcodes/:id/deliver",
      "Deliver a delayed message now; a message that is not pending stays as it is", answersOk(passcodeItem),
      { bound: "own" }),
    readWeather: control("GET", "weather", "Which weather is on, and which there is", answersOk(weatherAnswer),
      { query: ofApp, bound: "query" }),
    setWeather: control("PUT", "weather", "Set the weather: a named list of faults, replacing the current one",
      answersOk(weatherAnswer), { body: weatherInput, problems: ["unknown_record", "too_many_faults"],
        bound: "body" }),
    clearWeather: control("DELETE", "weather", "End the weather", gone, { query: ofApp, bound: "query" }),
  },
  events: { "fault.put": faultItem, "fault.remove": z.object({ id: z.string() }) },
  schemas: { Fault: faultItem, FaultInput: faultInput },
  types: {
    FaultMatch: [faultMatch, "Which requests a fault applies to: those that match every given field."],
    FaultEffect: [faultEffect, "What happens to a matching request."],
    Fault: [faultItem, "A fault with its counters."],
    FaultInput: [faultInput, "A new fault."],
    Weather: [weatherAnswer, "The weather that is on, and what there is."],
    WeatherInput: [weatherInput, "Which weather to set. `seconds` are real seconds."],
  },
  tags: { faults: "Simulated failures of admin and auth.", weather: "Named lists of faults." },
  examples: {
    addFault: { match: { method: "POST", path: "/v1/users/session" }, effect: { status: 503 }, times: 2 },
    setWeather: { appId: "demo-app", name: "rush-hour", seed: 42, seconds: 600 },
  },
} as const;
