import { Button, Kbd } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { sendPasscode } from "../../api/actions.ts";
import type { Profile } from "../../api/records.ts";
import { addSession, revokeSessionsOf } from "../../api/tokens.ts";
import { announce } from "../../ui/announcer.tsx";
import { complain } from "../../ui/complain.ts";
import { ConfirmButton, useArmed } from "../../ui/confirm-button.tsx";
import classes from "./profile-detail.module.css";

interface ProfileActionsProps {
  readonly profile: Profile;
  readonly activeSessions: number;
  readonly editHref: string;
  readonly onDelete: () => void;
}

/** What can be done with a profile. What comes of it shows in the parts below. */
export const ProfileActions = ({ profile, activeSessions, editHref, onDelete }: ProfileActionsProps) => {
  const { appId, userId } = profile;
  const [armed, setArmed] = useArmed();
  const send = useMutation({
    mutationFn: () => sendPasscode(appId, userId),
    onError: complain,
  });
  const signIn = useMutation({
    mutationFn: () => addSession(appId, userId, undefined),
    onSuccess: () => announce("Signed in, without a passcode"),
    onError: complain,
  });
  const revoke = useMutation({
    mutationFn: () => revokeSessionsOf(appId, userId),
    onSuccess: () => announce("All sessions revoked"),
    onError: complain,
  });
  return (
    <div className={classes.actions}>
      <Button
        component={Link}
        href={editHref}
        variant="filled"
        rightSection={<Kbd className={classes.key ?? ""}>e</Kbd>}
      >
        Edit
      </Button>
      <Button loading={send.isPending} onClick={() => send.mutate()}>
        Send a code
      </Button>
      <Button loading={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in without a code
      </Button>
      {activeSessions > 0 && (
        <ConfirmButton
          label={activeSessions === 1 ? "Revoke the session" : `Revoke all ${activeSessions} sessions`}
          question="Really revoke?"
          loading={revoke.isPending}
          armed={armed}
          onArm={setArmed}
          onConfirm={() => revoke.mutate()}
        />
      )}
      <Button rightSection={<Kbd className={classes.key ?? ""}>#</Kbd>} onClick={onDelete}>
        Delete
      </Button>
    </div>
  );
};
