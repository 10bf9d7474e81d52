/**
 * What the marks of the status line mean, and how to change it.
 */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useOddClock } from "../api/clock.ts";
import { appsQuery, clockQuery } from "../api/queries.ts";
import { useClockChange } from "../features/clock/clock-change.ts";
import { useAddress } from "../ui/address.ts";
import { CodeBlock } from "../ui/code-block.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { showDialog } from "../ui/dialogs.ts";
import { useNow } from "../ui/now.ts";
import { exactWords, shiftWords } from "../ui/time-words.ts";
import classes from "./status-dialogs.module.css";

const Clock = () => {
  const { address, hrefWith } = useAddress();
  const odd = useOddClock(address.app);
  const appId = odd?.appId ?? null;
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const ofAll = useQuery(clockQuery(null)).data;
  const nowMs = useNow(appId);
  const { change } = useClockChange();
  const back = (): void =>
    change.mutate(
      { appId, step: { set: {}, done: "was put back to real time" } },
      { onSuccess: () => showDialog(null) },
    );
  if (odd === null) return <p>The clock shows real time.</p>;
  const app = apps.find((one) => one.appId === appId);
  const shared = appId !== null && ofAll?.frozenAt === odd.frozenAt && ofAll.offsetSeconds === odd.offsetSeconds;
  return (
    <div className={classes.words}>
      <p>
        {appId === null ? "The clock of all apps" : <bdi>The clock of {app?.name ?? appId}</bdi>} shows{" "}
        <strong>{exactWords(new Date(nowMs).toISOString())}</strong>
        {odd.frozenAt === null
          ? `: real time ${shiftWords(odd.offsetSeconds)}.`
          : ", and stands still until it is let go or moved on."}{" "}
        Codes and sessions expire by it.
      </p>
      {shared && <p>The other apps go by the same time; this puts back the clock of this one.</p>}
      <div className={classes.buttons}>
        <Button variant="filled" data-autofocus loading={change.isPending} onClick={back}>
          Back to real time
        </Button>
        <Button
          component={Link}
          href={hrefWith({ screen: "clock", app: appId ?? address.app, id: null, show: null, q: "" })}
          onClick={() => showDialog(null)}
        >
          To the clock
        </Button>
      </div>
    </div>
  );
};

/** The dialogs behind the marks of the status line. */
export const StatusDialogs = () => (
  <>
    <Dialog name="clock" title="The clock is not real">
      <Clock />
    </Dialog>
    <Dialog name="memory" title="Data only in memory">
      <div className={classes.words}>
        <p>
          Stagedoor was started with --ephemeral, or --durability memory: profiles, codes and sessions are gone when it
          stops. Started without, it keeps them on this machine.
        </p>
        <CodeBlock what="Command" text="npm start" />
      </div>
    </Dialog>
  </>
);
