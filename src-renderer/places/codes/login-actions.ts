/** What can be done with a login beyond its buttons: the same in the row and in the detail. */
import type { Profile } from "#client/index.ts";
import { deliverPasscode, expirePasscode, requestPasscode } from "../../api/actions.ts";
import { downloadLogin } from "../../shared/login/download-login.ts";
import type { Standing } from "../../shared/login/standing.ts";
import type { Story } from "../../shared/login/stories.ts";
import { announce, closeDialog } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import type { RowAction } from "../../ui/row-actions.tsx";

const MINI = "popup,width=380,height=230";

/** Whose login it is, and how it stands. */
export interface LoginOf {
  readonly story: Story;
  readonly standing: Standing;
  readonly profile: Profile | null | undefined;
  readonly who: string;
}

/** @returns what can be done with a login. */
export const useLoginActions = (): ((of: LoginOf) => readonly RowAction[]) => {
  const { go, hrefWith } = useAddress();
  return ({ story, standing, profile, who }) => {
    const { appId, userId, rows, passcodes } = story;
    const code = passcodes.at(-1);
    const action = (label: string, name: string, act: () => unknown, isPossible = true): RowAction[] =>
      isPossible ? [{ label, name, act }] : [];
    const expire = (id: string) => expirePasscode(id).then(() => announce("Code expired"));
    return [
      ...(appId === null || userId === null
        ? []
        : action("New code", `Send a new code to ${who}`, () => requestPasscode(appId, userId))),
      ...(code === undefined
        ? []
        : [
            ...action(
              "Deliver now",
              `Deliver the code of ${who} now`,
              () => deliverPasscode(code.id),
              standing.kind === "late",
            ),
            ...action("Expire", `Expire the code of ${who}`, () => expire(code.id), code.status === "active"),
          ]),
      ...(profile
        ? [
            ...action("Fixed code…", `Fixed code of ${who}`, async () => {
              closeDialog();
              (await import("../../shared/user/fixed-code.tsx")).openTestCode(profile, code?.code ?? "000000");
            }),
            ...action("View user", `View ${who}`, () =>
              go({ screen: "users", id: profile.userId, app: profile.appId, show: null, q: "" }),
            ),
          ]
        : []),
      ...action(
        "View requests",
        `View the requests of ${who}`,
        () => go({ screen: "requests", id: rows.at(-1)?.id ?? null, show: null, q: userId ? `user:${userId}` : "" }),
        rows.length > 0,
      ),
      ...action("Download login", `Download the login of ${who}`, () => downloadLogin(story), rows.length > 0),
      ...action("Mini window", "Open the mini window", () =>
        window.open(hrefWith({ screen: "mini", id: null, show: null, q: "" }), "stagedoor-mini", MINI),
      ),
    ];
  };
};
