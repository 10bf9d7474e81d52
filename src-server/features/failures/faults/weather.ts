/** The control API: weather, which is nothing but faults that are set and removed together. */

import { epochMs, isoInstant } from "#contract/scalars.ts";
import type { FaultInput } from "#contract/service/faults.ts";
import { invalid } from "#contract/service/problems.ts";
import { CALM, WEATHER } from "#contract/service/weather.ts";
import { nearestName } from "#contract/validation.ts";
import { many } from "#contract/words/words.ts";
import type { World } from "#domain/world.ts";
import type { Kernel, Setup } from "#features/kernel.ts";
import { appOfQuery, appsOf, done, ok } from "#http/lookups/select.ts";
import type { WeatherAnswer, WeatherItem } from "./contract/weather.ts";
import { faultOwnerOf } from "./fault-list.ts";
import { isWeatherOf } from "./faults.ts";

/** @returns the handlers of weather. */
export const weatherHandlers = ({
  faults,
  env: { realNow },
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

  const known = (world: World, appId: string | undefined): WeatherAnswer["known"] => [
    ...Object.entries(WEATHER).map(([name, { summary }]) => ({ name, appId: null, summary })),
    ...appsOf(world, appId).flatMap(({ app }) =>
      Object.entries(app.weather ?? {}).map(([name, list]) => ({
        name,
        appId: app.appId,
        summary: `${many(list.length, "fault")} of ${app.name}.`,
      })),
    ),
  ];

  const show = (world: World, appId: string | undefined) =>
    ok({ items: current(appId), known: known(world, appId) } satisfies WeatherAnswer);

  const named = (world: World, appId: string | undefined, name: string): readonly FaultInput[] | undefined =>
    WEATHER[name]?.faults ?? appsOf(world, appId).find(({ app }) => app.weather?.[name])?.app.weather?.[name];

  return {
    readWeather: ({ world, query }) => {
      appOfQuery(world, query);
      return show(world, query.appId);
    },
    setWeather: ({ world, holder, body }) => {
      const { appId, name, seconds } = body;
      appOfQuery(world, body);
      const list = named(world, appId, name);
      if (list === undefined) {
        const names = [...new Set(known(world, appId).map((one) => one.name))];
        const nearest = nearestName(name, names);
        const hint = nearest === undefined ? `Known: ${names.join(", ")}.` : `Did you mean ${JSON.stringify(nearest)}?`;
        return invalid({ name: [`Unknown weather ${JSON.stringify(name)}. ${hint}`] });
      }
      const until = seconds === undefined ? null : isoInstant(epochMs(realNow() + seconds * 1_000));
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
