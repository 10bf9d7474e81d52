import { sendPasscode } from "../../api/actions.ts";
import { ActionButton } from "../../ui/action.tsx";
import { NoUsers } from "../../ui/no-apps.tsx";

/** No passcode yet: how the first one comes. */
export const EmptyInbox = () => (
  <NoUsers
    known
    title="No codes yet"
    words="A new number or address signs up at once; ask again for a code. It appears here as it is sent."
  >
    {({ profile }) =>
      profile && (
        <ActionButton
          variant="filled"
          label={`Send a test code to ${profile.name ?? "a user"}`}
          act={() => sendPasscode(profile.appId, profile.userId)}
        />
      )
    }
  </NoUsers>
);
