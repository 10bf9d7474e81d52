/**
 * What the marks of the status line mean, and how to change it.
 */
import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useOddClock } from "../api/clock.ts";
import { appsQuery, clockQuery } from "../api/queries.ts";
import { useClockChange } from "../features/clock/clock-change.tsx";
import { useAddress } from "../ui/address.ts";
import { CodeBlock } from "../ui/code-block.tsx";
import { closeDialog, openDialog } from "../ui/dialogs.tsx";
import { useNow } from "../ui/now.ts";
import { exactWords, shiftWords } from "../ui/time-words.ts";

const Clock = () => {
  const { address, hrefWith } = useAddress();
  const odd = useOddClock(address.app);
  const appId = odd?.appId ?? null;
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const ofAll = useQuery(clockQuery(null)).data;
  const nowMs = useNow(appId);
  const change = useClockChange();
  const back = (): void =>
    change.mutate({ appId, step: { set: {}, done: "was reset to real time" } }, { onSuccess: closeDialog });
  if (odd === null) return <p>The clock shows real time.</p>;
  const app = apps.find((one) => one.appId === appId);
  const shared = appId !== null && ofAll?.frozenAt === odd.frozenAt && ofAll.offsetSeconds === odd.offsetSeconds;
  return (
    <Stack align="flex-start">
      <p>
        {appId === null ? "The clock of all apps" : <bdi>The clock of {app?.name ?? appId}</bdi>} shows{" "}
        <strong>{exactWords(new Date(nowMs).toISOString())}</strong>
        {odd.frozenAt === null ? `: real time ${shiftWords(odd.offsetSeconds)}.` : ", frozen."} Codes and sessions
        expire by this clock.
      </p>
      {shared && <p>The other apps use the same time. This resets only this app’s clock.</p>}
      <Group>
        <Button variant="filled" data-autofocus loading={change.isPending} onClick={back}>
          Back to real time
        </Button>
        <Button
          component={Link}
          href={hrefWith({ screen: "clock", app: appId ?? address.app, id: null, show: null, q: "" })}
          onClick={closeDialog}
        >
          Open Clock
        </Button>
      </Group>
    </Stack>
  );
};

/** Says that the clock is not real, and how to reset it. */
export const openClockDialog = (): void => openDialog("The clock is not real", <Clock />);

/** Says that data is only in memory. */
export const openMemoryDialog = (): void =>
  openDialog(
    "Data only in memory",
    <Stack align="flex-start">
      <p>
        Stagedoor was started with --ephemeral or --durability memory: profiles, codes and sessions are lost when it
        stops. To keep them on this machine, restart with:
      </p>
      <CodeBlock what="Command" text="npm start" />
    </Stack>,
  );
