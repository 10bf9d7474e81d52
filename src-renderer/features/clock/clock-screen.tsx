import { Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useOwnClock } from "../../api/clock.ts";
import { appsQuery, clockQuery, passcodeList, sessionList } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { useNow } from "../../ui/now.ts";
import { Page } from "../../ui/page.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failed, LoadingRows } from "../../ui/states.tsx";
import { type ClockStep, useClockChange } from "./clock-change.tsx";
import { ClockFace, JumpPart } from "./clock-face.tsx";
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
    <p className="dim">
      <bdi>{name}</bdi> has its own clock. A jump here moves it too; any other change overrides it.{" "}
      <Link className="link" href={hrefWith({ app: own.appId })}>
        View its clock
      </Link>
    </p>
  );
};

const Parts = ({ appId, name }: { readonly appId: string | null; readonly name: string }) => {
  const change = useClockChange();
  const nowMs = useNow(appId);
  const passcodes = useQuery(passcodeList.query(appId)).data?.items ?? [];
  const sessions = useQuery(sessionList.query(appId)).data?.items ?? [];
  const onStep = (step: ClockStep): void => {
    if (!change.isPending) change.mutate({ appId, step });
  };
  const common = { busy: change.isPending, onStep };
  return (
    <Page columns>
      <Stack gap={24}>
        <ClockFace appId={appId} name={name} {...common} />
        {appId === null && <OtherClock />}
        <JumpPart {...common} />
        <p className="dim">
          Codes, sessions, tokens and record times use this clock. When it goes back, expired codes and sessions are
          valid again. Waits, rate limits, timeouts and fault delays use real time, and so does your app, which may
          check a token’s expiry itself.
        </p>
      </Stack>
      <Stack gap={24}>
        <MomentsPart moments={momentsOf(passcodes, sessions, nowMs)} {...common} />
        <NextPart endings={nextEndings(passcodes, sessions, nowMs, MOST_ENDINGS)} nowMs={nowMs} />
      </Stack>
    </Page>
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
        <Empty title="This app is gone">
          <p>It may have been deleted. The shared clock is still there.</p>
          <Button onClick={() => go({ app: null })}>Show the clock of all apps</Button>
        </Empty>
      );
    return (
      <Parts
        appId={address.app}
        name={address.app === null ? "The clock of all apps" : `The clock of ${app?.name ?? address.app}`}
      />
    );
  };
  return <Screen title="Clock">{content()}</Screen>;
};
