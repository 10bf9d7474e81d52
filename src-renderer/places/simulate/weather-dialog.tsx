/** Which weather is on, and the way back. */
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
        <TextButton href={hrefTo("simulate", { app: address.app })} onClick={closeDialog} label="Open Simulate" />
      </Group>
    </Stack>
  );
};

/** Says which weather is on, and turns it off. */
export const openWeatherDialog = (): void => openDialog("Weather", <Current />);
