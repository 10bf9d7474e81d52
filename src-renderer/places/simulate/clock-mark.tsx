import { Group, Stack, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useClock, useOddClock } from "../../api/clock.ts";
import { clockQuery, useApps } from "../../api/queries.ts";
import { closeDialog, openDialog, TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { useNow } from "../../ui/parts.tsx";
import { exactWords, shiftWords } from "../../ui/words.ts";
import { STEPS, useClockChange } from "./clock-change.tsx";

const Clock = () => {
  const { address, hrefTo } = useAddress();
  const odd = useOddClock(address.app);
  const appId = odd?.appId ?? null;
  const { appName } = useApps();
  const ofAll = useQuery(clockQuery(null)).data;
  const nowMs = useNow(appId);
  const change = useClockChange();
  const back = (): void => change.mutate({ appId, step: STEPS.real }, { onSuccess: closeDialog });
  if (odd === null) return <p>The clock shows real time.</p>;
  const shared = appId !== null && ofAll?.frozenAt === odd.frozenAt && ofAll.offsetSeconds === odd.offsetSeconds;
  return (
    <Stack align="flex-start">
      <p>
        {appId === null ? "Clock for all apps" : <bdi>The clock of {appName(appId)}</bdi>} shows{" "}
        <strong>{exactWords(new Date(nowMs).toISOString())}</strong>
        {odd.frozenAt === null ? `: real time ${shiftWords(odd.offsetSeconds)}.` : ", frozen."} Codes and sessions
        expire by this clock.
      </p>
      {shared && <p>The other apps use the same time. This resets only this app’s clock.</p>}
      <Group>
        <TextButton
          variant="filled"
          data-autofocus
          loading={change.isPending}
          onClick={back}
          label="Back to real time"
        />
        <TextButton
          href={hrefTo("simulate/clock", { app: appId ?? address.app })}
          onClick={closeDialog}
          label="Open Clock"
        />
      </Group>
    </Stack>
  );
};

const openClockDialog = (): void => openDialog("The clock is not real", <Clock />);

/** The clock, if the server has one. If it is not real, a click returns to real time. */
export const ClockMark = () => {
  const { address, hrefTo } = useAddress();
  const known = useClock(null) !== null;
  const odd = useOddClock(address.app);
  const { appName } = useApps();
  if (!known) return null;
  if (odd === null)
    return (
      <Link className="mantine-visible-from-sm" href={hrefTo("simulate/clock")}>
        Real time
      </Link>
    );
  const whose = address.app === null && odd.appId !== null && appName(odd.appId);
  return (
    <UnstyledButton className="warn" onClick={openClockDialog}>
      Clock{whose && <bdi> of {whose}</bdi>}{" "}
      {odd.frozenAt === null ? shiftWords(odd.offsetSeconds) : `frozen at ${exactWords(odd.frozenAt)}`}
    </UnstyledButton>
  );
};
