import { useMutation } from "@tanstack/react-query";
import { sendPasscode } from "../api/actions.ts";
import type { Profile } from "../api/records.ts";
import { useAddress } from "../ui/address.ts";
import { complain } from "../ui/complain.ts";
import { Dialog } from "../ui/dialog.tsx";
import { showDialog } from "../ui/dialogs.ts";
import { UserSearch } from "../ui/user-search.tsx";

const Recipients = () => {
  const { address, go } = useAddress();
  const send = useMutation({
    mutationFn: (profile: Profile) => sendPasscode(profile.appId, profile.userId),
    onSuccess: (passcode) => {
      showDialog(null);
      const app = address.app === null ? null : passcode.appId;
      go({ screen: "inbox", id: passcode.id, app, show: null, q: "" });
    },
    onError: complain,
  });
  return <UserSearch appId={address.app} disabled={send.isPending} onChoose={(profile) => send.mutate(profile)} />;
};

/** Chooses a user and sends a passcode, as the app would. */
export const SendDialog = () => (
  <Dialog name="send" title="Send a test code to">
    <Recipients />
  </Dialog>
);
