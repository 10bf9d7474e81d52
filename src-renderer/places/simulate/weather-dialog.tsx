/** Weather: which one is on, and buttons to set one. */
import { Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { emulator } from "../../api/emulator.ts";
import { announce, closeDialog, openDialog, TextButton, useAction } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Facts } from "../../ui/parts.tsx";
import { exactWords } from "../../ui/words.ts";
import { weatherQuery } from "./weather-query.ts";

const useCurrent = () => {
  const { app } = useAddress().address;
  return useQuery(weatherQuery(app)).data;
};

/** Buttons that set the weather of the current app, or of all. */
export const WeatherButtons = () => {
  const { app } = useAddress().address;
  const weather = useCurrent();
  const set = useAction(async (name: string) => {
    await emulator.weather.set(name, app === null ? {} : { appId: app });
    announce(`Weather: ${name}`);
  });
  return weather?.known
    .filter(({ name }) => name !== "calm")
    .map(({ name, summary }) => (
      <TextButton key={name} size="xs" title={summary} onClick={() => set.run(name)} label={`Weather: ${name}`} />
    ));
};

const Current = () => {
  const weather = useCurrent();
  const { hrefTo, address } = useAddress();
  const end = useAction(async () => {
    for (const { appId } of weather?.items ?? []) await emulator.weather.clear(appId === null ? {} : { appId });
    closeDialog();
    announce("Weather: calm");
  });
  return (
    <Stack align="flex-start">
      {weather?.items.map(({ name, appId, seed, until }) => (
        <section key={`${appId} ${name}`} aria-label={name}>
          <p>
            <strong>{name}</strong>: {weather.known.find((one) => one.name === name)?.summary}
          </p>
          <Facts
            of={{
              App: appId ?? "All apps",
              Seed: <span className="mono">{seed}</span>,
              Until: until === null ? "Turned off" : exactWords(until),
            }}
          />
        </section>
      ))}
      <Group>
        <TextButton variant="filled" data-autofocus loading={end.busy} onClick={() => end.run()} label="Turn off" />
        <TextButton href={hrefTo("simulate", { app: address.app })} onClick={closeDialog} label="Open Faults" />
      </Group>
    </Stack>
  );
};

/** Says which weather is on, and turns it off. */
export const openWeatherDialog = (): void => openDialog("Weather", <Current />);
