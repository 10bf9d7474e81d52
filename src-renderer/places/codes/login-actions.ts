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

/** @returns what can be done with a login; the first one is `New code`, where its user is known. */
export const useLoginActions = (): ((of: LoginOf) => readonly RowAction[]) => {
  const { go, hrefWith } = useAddress();
  return ({ story, standing, profile, who }) => {
    const { appId, userId, rows, passcodes } = story;
    const code = passcodes.at(-1);
    const send = appId !== null && userId !== null && (() => requestPasscode(appId, userId));
    const expire = code?.status === "active" && (() => expirePasscode(code.id).then(() => announce("Code expired")));
    const fix = async (user: Profile): Promise<void> => {
      closeDialog();
      (await import("../../shared/user/fixed-code.tsx")).openTestCode(user, code?.code ?? "000000");
    };
    const viewUser = ({ userId: id, appId: app }: Profile): void => go({ screen: "users", id, app, show: null, q: "" });
    const viewRequests = (): void =>
      go({ screen: "requests", id: rows.at(-1)?.id ?? null, show: null, q: userId ? `user:${userId}` : "" });
    const openMini = () =>
      window.open(hrefWith({ screen: "mini", id: null, show: null, q: "" }), "stagedoor-mini", MINI);
    return [
      send && { label: "New code", name: `Send a new code to ${who}`, act: send },
      code &&
        standing.kind === "late" && {
          label: "Deliver now",
          name: `Deliver the code of ${who} now`,
          act: () => deliverPasscode(code.id),
        },
      expire && { label: "Expire", name: `Expire the code of ${who}`, act: expire },
      profile && { label: "Fixed code…", name: `Fixed code of ${who}`, act: () => fix(profile) },
      profile && { label: "View user", name: `View ${who}`, act: () => viewUser(profile) },
      rows.length > 0 && { label: "View requests", name: `View the requests of ${who}`, act: viewRequests },
      rows.length > 0 && {
        label: "Download login",
        name: `Download the login of ${who}`,
        act: () => downloadLogin(story),
      },
      { label: "Mini window", name: "Open the mini window", act: openMini },
    ].filter((one) => typeof one === "object" && one !== null);
  };
};
