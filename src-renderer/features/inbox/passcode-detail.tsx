import { Button, Kbd } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { effectiveSettings } from "#contract/apps.ts";
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
import { StatusMark } from "../../ui/status-mark.tsx";
import { MessagePreview } from "./message-preview.tsx";
import classes from "./passcode-detail.module.css";
import { PasscodeState } from "./passcode-row.tsx";
import { lookOf, statusAt } from "./passcode-status.ts";

const Typed = ({ passcode, app }: { readonly passcode: Passcode; readonly app: App | undefined }) => {
  const active = statusAt(passcode, useNow(passcode.appId)) === "active";
  const most = effectiveSettings(app?.settings ?? {}).passcode.maxAttempts;
  const left = most - passcode.attempts;
  return (
    <DetailPart title="What was typed">
      {passcode.tried.length === 0 && <p className={classes.quiet}>Nothing yet.</p>}
      <ol>
        {passcode.tried.map((typed, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tries are only ever added at the end
          <li key={index} className={classes.try}>
            <bdi className="mono">{typed === "" ? "(empty)" : typed}</bdi>
            <StatusMark tone={typed === passcode.code ? "ok" : "bad"}>
              {typed === passcode.code ? "right" : "wrong"}
            </StatusMark>
          </li>
        ))}
      </ol>
      {active && app !== undefined && left > 0 && passcode.tried.length > 0 && (
        <p className={classes.quiet}>{left === 1 ? "1 try left" : `${left} tries left`}</p>
      )}
    </DetailPart>
  );
};

const Person = ({ passcode, appName }: { readonly passcode: Passcode; readonly appName: string }) => {
  const profile = useProfile(passcode.appId, passcode.userId);
  const testCode = profile?.testPasscode ?? null;
  const ways = [profile?.phone ? recipientText(profile.phone) : null, profile?.email ?? null, appName];
  return (
    <DetailPart title="Profile">
      <p className={classes.person}>
        <bdi>{nameOf(profile)}</bdi>
        {testCode !== null && (
          <span className={classes.pill}>
            test code <span className="mono">{testCode}</span>
          </span>
        )}
      </p>
      <p className={classes.quiet}>
        <bdi>{ways.filter((way) => way !== null).join(" · ")}</bdi>
      </p>
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
      <Typed passcode={passcode} app={app} />
      <Person passcode={passcode} appName={appName} />
    </DetailPanel>
  );
};
