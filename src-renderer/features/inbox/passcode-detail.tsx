import { Button, Kbd } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { expirePasscode, sendPasscode } from "../../api/actions.ts";
import { nameOf, useProfile } from "../../api/profile.ts";
import type { App, Passcode } from "../../api/records.ts";
import { useAddress } from "../../ui/address.ts";
import { Code } from "../../ui/code.tsx";
import { complain } from "../../ui/complain.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DetailPanel, DetailPart } from "../../ui/detail-panel.tsx";
import { useNow } from "../../ui/now.ts";
import { recipientText } from "../../ui/phone.ts";
import { DeviceLines } from "./device-lines.tsx";
import { MessagePreview } from "./message-preview.tsx";
import classes from "./passcode-detail.module.css";
import { PasscodeState } from "./passcode-row.tsx";
import { lookOf, statusAt } from "./passcode-status.ts";
import { TestCode } from "./test-code.tsx";

/** Beside the first view: it brings the words of every refusal with it. */
const LoginTimeline = lazy(async () => ({ default: (await import("./login-timeline.tsx")).LoginTimeline }));

const Person = ({ passcode, appName }: { readonly passcode: Passcode; readonly appName: string }) => {
  const profile = useProfile(passcode.appId, passcode.userId);
  const testCode = profile?.testPasscode ?? null;
  const ways = [profile?.phone ? recipientText(profile.phone) : null, profile?.email ?? null, appName];
  return (
    <DetailPart title="Profile">
      <p className={classes.person}>
        <bdi>{nameOf(profile)}</bdi>
        <span className={classes.pill}>{testCode === null ? "test code off" : "test code on"}</span>
      </p>
      <p className={classes.quiet}>
        <bdi>{ways.filter((way) => way !== null).join(" · ")}</bdi>
      </p>
      {profile && <TestCode profile={profile} suggested={passcode.code} />}
    </DetailPart>
  );
};

interface PasscodeDetailProps {
  readonly passcode: Passcode;
  readonly app: App | undefined;
  readonly onClose: () => void;
}

/** One passcode: the code, what can be done with it, how it reached the user, and what was typed. */
export const PasscodeDetail = ({ passcode, app, onClose }: PasscodeDetailProps) => {
  const { go } = useAddress();
  const status = statusAt(passcode, useNow(passcode.appId));
  const appName = app?.name ?? passcode.appId;
  const expire = useMutation({ mutationFn: () => expirePasscode(passcode.id), onError: complain });
  const again = useMutation({
    mutationFn: () => sendPasscode(passcode.appId, passcode.userId),
    onSuccess: ({ id }) => go({ id, show: null, q: "" }, { replace: true }),
    onError: complain,
  });
  return (
    <DetailPanel label={`Code ${passcode.code}`} onClose={onClose}>
      <p className={classes.hero} data-testid="hero">
        <Code code={passcode.code} look={lookOf(status)} />
      </p>
      <div className={classes.actions}>
        <CopyButton
          text={passcode.code}
          what="Code"
          label="Copy code"
          variant="filled"
          rightSection={<Kbd className={classes.key ?? ""}>c</Kbd>}
        />
        <Button disabled={status !== "active"} loading={expire.isPending} onClick={() => expire.mutate()}>
          Expire now
        </Button>
        <Button loading={again.isPending} onClick={() => again.mutate()}>
          Send another
        </Button>
      </div>
      <p className={classes.state}>
        <PasscodeState passcode={passcode} />
      </p>
      <MessagePreview passcode={passcode} appName={appName} />
      <DeviceLines devices={passcode.devices} />
      <Suspense>
        <LoginTimeline passcode={passcode} app={app} />
      </Suspense>
      <Person passcode={passcode} appName={appName} />
    </DetailPanel>
  );
};
