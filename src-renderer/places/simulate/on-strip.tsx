import { Group, UnstyledButton } from "@mantine/core";
import { Link } from "wouter";
import type { Fault } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { useOddClock } from "../../api/clock.ts";
import { emulator, ofApp } from "../../api/emulator.ts";
import { isOn } from "../../api/faults.ts";
import { counterWords, effectWords, shareWords } from "../../shared/fault/fault-words.ts";
import { announce, TextButton, useAction } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { STEPS, useClockChange } from "./clock-change.tsx";
import { oddWords } from "./marks.tsx";
import classes from "./simulate.module.css";

interface ChipProps {
  readonly words: string;
  readonly note: string;
  readonly href: string;
  /** False: it is used up. */
  readonly isActive?: boolean;
  readonly onTurnOff: () => unknown;
}

/** One thing that is on: it leads to what it does, and can be turned off. */
const Chip = ({ words, note, href, isActive = true, onTurnOff }: ChipProps) => (
  <li className={classes["chip"]} data-active={isActive || undefined}>
    <Link href={href} className="cut">
      <bdi>{words}</bdi> <span className="small">{note}</span>
    </Link>
    <UnstyledButton aria-label={`${isActive ? "Turn off" : "Remove"}: ${words}`} onClick={() => onTurnOff()}>
      ×
    </UnstyledButton>
  </li>
);

interface OnStripProps {
  readonly faults: readonly Fault[];
  /** How many faults other apps have. */
  readonly elsewhere: number;
  readonly onTurnOff: (faults: readonly Fault[]) => void;
}

/** What is simulated now, each with the way back. Always there, so that nothing below it moves. */
export const OnStrip = ({ faults, elsewhere, onTurnOff }: OnStripProps) => {
  const { address, hrefWith, hrefTo } = useAddress();
  const clock = useOddClock(address.app);
  const { mutate } = useClockChange();
  const calm = useAction(async (appIds: readonly (string | null)[]) => {
    for (const appId of appIds) await emulator.weather.clear(ofApp(appId));
    announce("Weather: calm");
  });
  const single = faults.filter(({ weather }) => weather === undefined);
  const weathers = new Map(
    faults.flatMap(({ weather, match }) => (weather ? [[match.appId ?? null, weather.name] as const] : [])),
  );
  const toReal = (): void => {
    if (clock !== null) mutate({ appId: clock.appId, step: STEPS.real });
  };
  const allBack = (): void => {
    if (single.length > 0) onTurnOff(single);
    if (weathers.size > 0) calm.run([...weathers.keys()]);
    toReal();
  };
  const isCalm = faults.length === 0 && clock === null;
  return (
    <Group component="section" className={classes["strip"] ?? ""} data-on={!isCalm || undefined} aria-label="On now">
      {isCalm && <p className="dim">Nothing is simulated.</p>}
      <ul aria-label="On">
        {single.map((fault) => (
          <Chip
            key={fault.id}
            words={
              effectWords(fault.effect) +
              shareWords(fault) +
              (fault.match.to ? ` for ${recipientText(fault.match.to)}` : "")
            }
            note={counterWords(fault)[fault.remaining === null ? 1 : 0]}
            href={hrefWith({ id: fault.id, show: null })}
            isActive={isOn(fault)}
            onTurnOff={() => onTurnOff([fault])}
          />
        ))}
        {[...weathers].map(([appId, name]) => (
          <Chip
            key={`${appId} ${name}`}
            words={`Weather: ${name}`}
            note=""
            href={hrefWith({ app: appId, id: null })}
            onTurnOff={() => calm.run([appId])}
          />
        ))}
        {clock !== null && (
          <Chip
            words={`Clock ${oddWords(clock)}`}
            note=""
            href={hrefTo("simulate/clock", { app: clock.appId ?? address.app })}
            onTurnOff={toReal}
          />
        )}
      </ul>
      {elsewhere > 0 && <TextButton href={hrefWith({ app: null })} label={`${elsewhere} in other apps`} />}
      {!isCalm && <TextButton onClick={allBack} label="All back to normal" />}
    </Group>
  );
};
