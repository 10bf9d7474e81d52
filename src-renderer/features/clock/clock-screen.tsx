import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useOwnClock } from "../../api/clock.ts";
import { appsQuery, clockQuery, passcodesQuery, sessionsQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { useNow } from "../../ui/now.ts";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failed, LoadingRows } from "../../ui/states.tsx";
import classes from "./clock.module.css";
import { type ClockStep, useClockChange } from "./clock-change.ts";
import { ClockFace } from "./clock-face.tsx";
import { ClockStrip } from "./clock-strip.tsx";
import { JumpPart } from "./jump-part.tsx";
import { momentsOf, nextEndings } from "./moments.ts";
import { MomentsPart, NextPart } from "./moments-part.tsx";

const MOST_ENDINGS = 8;

/** An app whose clock is another than that of all, where all are shown. */
const OtherClock = () => {
  const { hrefWith } = useAddress();
  const own = useOwnClock();
  const apps = useQuery(appsQuery()).data?.items ?? [];
  if (own === null) return null;
  const name = apps.find(({ appId }) => appId === own.appId)?.name ?? own.appId;
  return (
    <p className={classes.words}>
      <bdi>{name}</bdi> has a clock of its own, which a jump here moves too, and any other change overrides.{" "}
      <Link className={classes.link} href={hrefWith({ app: own.appId })}>
        See its clock
      </Link>
    </p>
  );
};

const Parts = ({ appId, name }: { readonly appId: string | null; readonly name: string }) => {
  const { change } = useClockChange();
  const nowMs = useNow(appId);
  const passcodes = useQuery(passcodesQuery(appId)).data?.items ?? [];
  const sessions = useQuery(sessionsQuery(appId)).data?.items ?? [];
  const onStep = (step: ClockStep): void => {
    if (!change.isPending) change.mutate({ appId, step });
  };
  const common = { busy: change.isPending, onStep };
  return (
    <div className={classes.content}>
      <div>
        <ClockFace appId={appId} name={name} {...common} />
        {appId === null && <OtherClock />}
        <JumpPart {...common} />
        <p className={classes.touches}>
          Codes, sessions, tokens and the times on records go by this clock: when it goes back, what had expired is
          valid again. Waits, rate limits, timeouts and the delays of faults stay real; so does the clock of your app,
          which may look at the end of its token itself.
        </p>
      </div>
      <div>
        <MomentsPart moments={momentsOf(passcodes, sessions, nowMs)} {...common} />
        <NextPart endings={nextEndings(passcodes, sessions, nowMs, MOST_ENDINGS)} nowMs={nowMs} />
      </div>
    </div>
  );
};

/** The clock that the service goes by, of all apps or of the chosen one: what it shows, and how to change it. */
export const ClockScreen = () => {
  const { address, go } = useAddress();
  const clock = useQuery(clockQuery(address.app));
  const apps = useQuery(appsQuery());
  const app = apps.data?.items.find(({ appId }) => appId === address.app);
  const content = () => {
    if (clock.isPending || apps.isPending) return <LoadingRows />;
    if (clock.isError) return <Failed what="The clock" error={clock.error} onRetry={() => void clock.refetch()} />;
    if (clock.data === null)
      return (
        <Empty title="There is no such app">
          <p>It may have been deleted. The clock of all apps is still there.</p>
          <button type="button" className={classes.link} onClick={() => go({ app: null })}>
            Show the clock of all apps
          </button>
        </Empty>
      );
    return (
      <Parts
        appId={address.app}
        name={address.app === null ? "The clock of all apps" : `The clock of ${app?.name ?? address.app}`}
      />
    );
  };
  return (
    <Screen title="Clock">
      <ClockStrip />
      {content()}
    </Screen>
  );
};
