/** The control API: weather, which is nothing but faults that are set and removed together. */

import { epochMs, isoInstant } from "#contract/scalars.ts";
import { invalid } from "#contract/service/problems.ts";
import { CALM, WEATHER } from "#contract/service/weather.ts";
import { nearestName } from "#contract/validation.ts";
import { many } from "#contract/words/words.ts";
import type { World } from "#domain/world.ts";
import type { Kernel, Setup } from "#features/kernel.ts";
import { appOfQuery, appsOf, done, ok } from "#http/lookups/select.ts";
import type { WeatherAnswer, WeatherItem } from "./contract/faults.ts";
import { faultOwnerOf } from "./fault-list.ts";
import { isWeatherOf } from "./faults.ts";

/** @returns the handlers of weather. */
export const weatherHandlers = ({
  faults,
  env,
}: Kernel): Pick<ReturnType<Setup<"faults">>, "readWeather" | "setWeather" | "clearWeather"> => {
  const current = (appId: string | undefined): WeatherItem[] => {
    const items = new Map<string, WeatherItem>();
    for (const { id, match, weather, seed = 0 } of faults.list()) {
      if (weather === undefined || (appId !== undefined && (match.appId ?? appId) !== appId)) continue;
      const key = JSON.stringify([match.appId, weather.name]);
      const before = items.get(key)?.faults ?? [];
      items.set(key, { appId: match.appId ?? null, ...weather, seed, faults: [...before, id] });
    }
    return [...items.values()];
  };

  /** That of every app, and then that of the apps. */
  const all = (world: World, appId: string | undefined) => [
    ...Object.entries(WEATHER).map(([name, weather]) => ({ name, appId: null, ...weather })),
    ...appsOf(world, appId).flatMap(({ app }) =>
      Object.entries(app.weather ?? {}).map(([name, list]) => {
        const summary = `${many(list.length, "fault")} of ${app.name}.`;
        return { name, appId: app.appId, summary, faults: list };
      }),
    ),
  ];

  const show = (world: World, appId: string | undefined) => {
    const known = all(world, appId).map(({ faults: _, ...one }) => one);
    return ok({ items: current(appId), known } satisfies WeatherAnswer);
  };

  return {
    readWeather: ({ world, query }) => {
      appOfQuery(world, query);
      return show(world, query.appId);
    },
    setWeather: ({ world, holder, body }) => {
      const { appId, name, seconds } = body;
      appOfQuery(world, body);
      const weather = all(world, appId);
      const list = weather.find((one) => one.name === name)?.faults;
      if (list === undefined) {
        const names = [...new Set(weather.map((one) => one.name))];
        const nearest = nearestName(name, names);
        const hint = nearest === undefined ? `Known: ${names.join(", ")}.` : `Did you mean ${JSON.stringify(nearest)}?`;
        return invalid({ name: [`Unknown weather ${JSON.stringify(name)}. ${hint}`] });
      }
      const until = seconds === undefined ? null : isoInstant(epochMs(env.realNow() + seconds * 1_000));
      const instead = isWeatherOf(appId);
      const seed = body.seed ?? faults.drawSeed(appId, instead);
      const inputs = (name === CALM ? [] : list).map(({ match, ...fault }) => ({
        seed,
        ...fault,
        match: { ...match, ...(appId !== undefined && { appId }) },
      }));
      // All of it or none: half a weather would be another one, and a refused one leaves the one that is on.
      const added = faults.add(inputs, { by: faultOwnerOf(holder), instead, weather: { name, until } });
      if ("problem" in added) return added;
      return show(world, appId);
    },
    clearWeather: ({ world, query }) => {
      appOfQuery(world, query);
      faults.endWeather(query.appId);
      return done;
    },
  };
};
