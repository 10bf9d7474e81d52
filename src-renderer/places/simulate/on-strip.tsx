import { Box, Group } from "@mantine/core";
import type { Fault } from "#client/index.ts";
import { many } from "#contract/words/words.ts";
import { useOddClock } from "../../api/clock.ts";
import { isOn } from "../../api/faults.ts";
import { TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { exactWords, shiftWords } from "../../ui/words.ts";
import { STEPS, useClockChange } from "./clock-change.tsx";

interface OnStripProps {
  readonly faults: readonly Fault[];
  /** How many faults other apps have. */
  readonly elsewhere: number;
  readonly onTurnOff: () => void;
}

/** What is simulated now, and the way back. Always there, so that nothing below it moves. */
export const OnStrip = ({ faults, elsewhere, onTurnOff }: OnStripProps) => {
  const { address, hrefWith } = useAddress();
  const clock = useOddClock(address.app);
  const change = useClockChange();
  const toReal = (): void => {
    if (clock !== null) change.mutate({ appId: clock.appId, step: STEPS.real });
  };
  const active = faults.filter((fault) => isOn(fault) && fault.weather === undefined).length;
  const weather = new Set(faults.flatMap((fault) => (fault.weather ? [`weather ${fault.weather.name}`] : [])));
  const on = [
    ...(active > 0 ? [many(active, "fault")] : []),
    ...weather,
    ...(clock === null
      ? []
      : [
          `clock ${clock.frozenAt === null ? shiftWords(clock.offsetSeconds) : `frozen at ${exactWords(clock.frozenAt)}`}`,
        ]),
  ];
  const words = on.length === 0 ? "Nothing is simulated." : `On: ${on.join(", ")}.`;
  return (
    <Group component="section" className="band" bg="var(--sd-panel)" mih={48} aria-label="On now">
      <Box component="p" flex="1 1 320px" className={on.length > 0 ? "warn" : "dim"}>
        {words}
      </Box>
      {elsewhere > 0 && <TextButton href={hrefWith({ app: null })} label={`${elsewhere} in other apps`} />}
      {clock !== null && <TextButton disabled={change.isPending} onClick={toReal} label="Back to real time" />}
      {(faults.length > 0 || clock !== null) && (
        <TextButton
          onClick={() => {
            if (faults.length > 0) onTurnOff();
            toReal();
          }}
          label="All back to normal"
        />
      )}
    </Group>
  );
};
