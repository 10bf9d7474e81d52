import { Button, Kbd } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { expireSession, revokeSession } from "../../api/actions.ts";
import { sessionsQuery } from "../../api/queries.ts";
import type { Session } from "../../api/records.ts";
import { revokeSessionsOf, tokenQuery } from "../../api/tokens.ts";
import { useCopy } from "../../ui/clipboard.ts";
import { complain } from "../../ui/complain.ts";
import { ConfirmButton, useArmed } from "../../ui/confirm-button.tsx";
import { useKeys } from "../../ui/keys.ts";
import { useNow } from "../../ui/now.ts";
import classes from "./session-detail.module.css";
import { stateAt } from "./session-state.ts";

/** A button that asks first, and its state. */
const useAsked = (act: () => Promise<void>, possible: boolean) => {
  const [armed, setArmed] = useArmed();
  const run = useMutation({ mutationFn: act, onError: complain });
  const press = (): unknown => {
    if (!possible) return false;
    setArmed(!armed);
    if (armed) run.mutate();
    return true;
  };
  const button = { armed, onArm: setArmed, onConfirm: () => run.mutate(), disabled: !possible, loading: run.isPending };
  return { press, button };
};

/** What can be done with a session: its token, and how to end it, or all of this user's. */
export const SessionActions = ({ session }: { readonly session: Session }) => {
  const { id, appId, userId } = session;
  const now = useNow(appId);
  const active = stateAt(session, now) === "active";
  const others = useQuery(sessionsQuery(appId)).data?.items ?? [];
  const activeOfUser = others.filter((one) => one.userId === userId && stateAt(one, now) === "active").length;
  const token = useQuery(tokenQuery(session));
  const asToken = useCopy();
  const asHeader = useCopy();
  const expire = useAsked(() => expireSession(id), active);
  const revoke = useAsked(() => revokeSession(id), active);
  const revokeAll = useAsked(() => revokeSessionsOf(appId, userId), activeOfUser > 0);
  const copyToken = (): unknown => (token.data === undefined ? false : asToken.copy(token.data, "Token"));
  useKeys({ c: copyToken, e: expire.press, r: revoke.press });
  return (
    <>
      <div className={classes.actions}>
        <Button
          variant="filled"
          disabled={token.data === undefined}
          rightSection={<Kbd className={classes.key ?? ""}>c</Kbd>}
          onClick={copyToken}
        >
          {asToken.copied ? "Copied" : "Copy token"}
        </Button>
        <Button
          disabled={token.data === undefined}
          onClick={() => asHeader.copy(`Authorization: Bearer ${token.data}`, "Authorization header")}
        >
          {asHeader.copied ? "Copied" : "Copy as header"}
        </Button>
      </div>
      <div className={`${classes.actions} ${classes.ending}`}>
        <ConfirmButton label="Expire now" question="Really expire?" {...expire.button} />
        <ConfirmButton label="Revoke" question="Really revoke?" {...revoke.button} />
        {activeOfUser > 1 && (
          <ConfirmButton
            label={`Revoke all ${activeOfUser} of this user`}
            question={`Really revoke ${activeOfUser}?`}
            {...revokeAll.button}
          />
        )}
      </div>
    </>
  );
};
