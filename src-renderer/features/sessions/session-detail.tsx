import { Button, Kbd } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { expireSession, readToken, revokeSession } from "../../api/actions.ts";
import { nameOf, useProfile } from "../../api/profile.ts";
import type { App, Session } from "../../api/records.ts";
import { useCopy } from "../../ui/clipboard.ts";
import { complain } from "../../ui/complain.ts";
import { ConfirmButton, useArmed } from "../../ui/confirm-button.tsx";
import { DetailPanel, DetailPart, Facts } from "../../ui/detail-panel.tsx";
import { useKeys } from "../../ui/keys.ts";
import { useNow } from "../../ui/now.ts";
import { recipientText } from "../../ui/phone.ts";
import { exactWords } from "../../ui/time-words.ts";
import classes from "./session-detail.module.css";
import { SessionState } from "./session-row.tsx";
import { stateAt } from "./session-state.ts";

interface SessionDetailProps {
  readonly session: Session;
  readonly app: App | undefined;
  readonly onClose: () => void;
}

/** One session: whose it is, its token, and how to end it. */
export const SessionDetail = ({ session, app, onClose }: SessionDetailProps) => {
  const profile = useProfile(session.appId, session.userId);
  const username = profile?.[app?.strategy ?? "phone"] ?? null;
  const active = stateAt(session, useNow(session.appId)) === "active";
  const { copied, copy } = useCopy();
  const [armed, setArmed] = useArmed();
  const copyToken = useMutation({
    mutationFn: async () => copy(await readToken(session.id), "Token"),
    onError: complain,
  });
  const expire = useMutation({ mutationFn: () => expireSession(session.id), onError: complain });
  const revoke = useMutation({ mutationFn: () => revokeSession(session.id), onError: complain });
  const pressRevoke = (): void => {
    setArmed(!armed);
    if (armed) revoke.mutate();
  };
  useKeys({
    c: () => copyToken.mutate(),
    e: () => (active ? expire.mutate() : false),
    r: () => (active ? pressRevoke() : false),
  });
  return (
    <DetailPanel label={`Session of ${nameOf(profile).trim()}`} onClose={onClose}>
      <h2 className={classes.name}>
        <bdi>{nameOf(profile)}</bdi>
      </h2>
      <p className={`mono ${classes.username}`}>{username === null ? "\u00a0" : recipientText(username)}</p>
      <div className={classes.actions}>
        <Button
          variant="filled"
          loading={copyToken.isPending}
          rightSection={<Kbd className={classes.key ?? ""}>c</Kbd>}
          onClick={() => copyToken.mutate()}
        >
          {copied ? "Copied" : "Copy token"}
        </Button>
        <Button disabled={!active} loading={expire.isPending} onClick={() => expire.mutate()}>
          Expire now
        </Button>
        <ConfirmButton
          label="Revoke"
          question="Really revoke?"
          disabled={!active}
          loading={revoke.isPending}
          armed={armed}
          onArm={setArmed}
          onConfirm={() => revoke.mutate()}
        />
      </div>
      <p className={classes.state}>
        <SessionState session={session} />
      </p>
      <DetailPart title="Session">
        <Facts
          facts={[
            ["App", <bdi key="app">{app?.name ?? session.appId}</bdi>],
            ["Device", <bdi key="device">{session.device ?? "Unknown"}</bdi>],
            ["Issued", exactWords(session.createdAt)],
            ["Expires", exactWords(session.expiresAt)],
            ...(session.revokedAt === null ? [] : [["Revoked", exactWords(session.revokedAt)] as const]),
            [
              "Session id",
              <span key="id" className="mono">
                {session.id}
              </span>,
            ],
            [
              "User id",
              <span key="user" className="mono">
                {session.userId}
              </span>,
            ],
          ]}
        />
      </DetailPart>
    </DetailPanel>
  );
};
