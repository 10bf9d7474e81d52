/** What can be turned on with a click: the presets, and weather, which is a named set of faults. */
import { UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Fault } from "#client/index.ts";
import { sentence } from "#contract/words/words.ts";
import { emulator, ofApp } from "../../api/emulator.ts";
import { isOn, useFaults } from "../../api/faults.ts";
import { query } from "../../api/queries.ts";
import { usePreset, useTurningOff } from "../../shared/fault/fault-actions.ts";
import { PRESETS, type Preset } from "../../shared/fault/fault-presets.ts";
import { counterWords } from "../../shared/fault/fault-words.ts";
import { announce, useAction } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import classes from "./simulate.module.css";

interface ChoiceProps {
  readonly title: string;
  readonly words: string;
  /** How long it stays on; undefined: it is off. */
  readonly on: string | undefined;
  readonly onPress: () => unknown;
}

const Choice = ({ title, words, on, onPress }: ChoiceProps) => (
  <li>
    <UnstyledButton
      className={classes["choice"] ?? ""}
      data-on={on !== undefined || undefined}
      title={words}
      onClick={onPress}
    >
      <bdi className="cut">{title}</bdi>
      <span className="cut dim">{words}</span>
      {on !== undefined && <span className="small warn">{on} · Turn off</span>}
    </UnstyledButton>
  </li>
);

const Group = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section>
    <h2 className={classes["group"]}>{title}</h2>
    <ul aria-label={title}>{children}</ul>
  </section>
);

const groupOf = ({ oneUser, fault: { effect } }: Preset): string => {
  if (oneUser) return "One user";
  return effect.undelivered || effect.deliverAfterMs !== undefined || effect.deliverTwice ? "Code" : "Network";
};

const PRESET_GROUPS = ["Code", "Network", "One user"].map(
  (group) => [group, PRESETS.filter((preset) => groupOf(preset) === group)] as const,
);

const Presets = () => {
  const { app } = useAddress().address;
  const faults = useFaults().filter((fault) => isOn(fault) && fault.weather === undefined);
  const apply = usePreset();
  const turnOff = useTurningOff();
  const setFrom = ({ fault, oneUser }: Preset): Fault | undefined =>
    oneUser
      ? undefined
      : faults.find(
          ({ match, effect }) =>
            match.appId === (app ?? undefined) &&
            match.to === undefined &&
            JSON.stringify(effect) === JSON.stringify(fault.effect),
        );
  return PRESET_GROUPS.map(([group, presets]) => (
    <Group key={group} title={group}>
      {presets.map((preset) => {
        const set = setFrom(preset);
        return (
          <Choice
            key={preset.id}
            title={sentence(preset.title.replace("One user: ", ""))}
            words={preset.words}
            on={set && counterWords(set)[0]}
            onPress={() => (set ? turnOff.run([set], false) : apply(preset))}
          />
        );
      })}
    </Group>
  ));
};

const Weather = () => {
  const { app } = useAddress().address;
  const faults = useFaults();
  const { data } = useQuery(query(["weather"], (client) => client.weather.get()));
  const set = useAction(async (name: string, isSet: boolean) => {
    if (isSet) await emulator.weather.clear(ofApp(app));
    else await emulator.weather.set(name, ofApp(app));
    announce(`Weather: ${isSet ? "calm" : name}`);
  });
  return (
    <Group title="Weather">
      {data?.known
        .filter(({ name }) => name !== "calm")
        .map(({ name, summary }) => {
          const isSet = faults.some(
            ({ weather, match }) => weather?.name === name && match.appId === (app ?? undefined),
          );
          return (
            <Choice
              key={name}
              title={sentence(name.replaceAll("-", " "))}
              words={summary}
              on={isSet ? "On" : undefined}
              onPress={() => set.run(name, isSet)}
            />
          );
        })}
    </Group>
  );
};

/** The presets by what they concern, and the weather. */
export const Choices = () => (
  <div className={classes["scroll"]}>
    <Presets />
    <Weather />
  </div>
);
