import { Button, Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Profile } from "#client/index.ts";
import { saveProfile } from "../../api/actions.ts";
import { explain, fieldsOf } from "../../api/emulator.ts";
import { nameOf, useProfile } from "../../api/profile.ts";
import { closeDialog, openDialog } from "../../ui/dialogs.tsx";

interface TestCodeProps {
  readonly appId: string;
  readonly userId: string;
  /** What stands in the field of a user who has none yet. */
  readonly suggested: string;
}

const TestCode = ({ appId, userId, suggested }: TestCodeProps) => {
  const fixed = useProfile(appId, userId)?.testPasscode ?? null;
  const [typed, setTyped] = useState(fixed ?? suggested);
  const set = useMutation({
    mutationFn: (code: string | null) => saveProfile({ appId, userId }, { testPasscode: code }),
    onSuccess: closeDialog,
  });
  const fault = set.isError ? (fieldsOf(set.error)["testPasscode"]?.join(", ") ?? explain(set.error)) : null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate(typed);
      }}
    >
      <TextInput
        data-autofocus
        label="Fixed code"
        description="Sent to this user each time. It signs in at any time, also without sending one."
        classNames={{ input: "mono" }}
        inputMode="numeric"
        value={typed}
        error={fault}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Group mt={12}>
        <Button type="submit" variant="filled" loading={set.isPending}>
          Save
        </Button>
        {fixed !== null && (
          <Button loading={set.isPending} onClick={() => set.mutate(null)}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
};

/** Sets or clears the fixed code of a user. @param suggested what stands in the field of one who has none yet. */
export const openTestCode = (profile: Profile, suggested: string): void =>
  openDialog(
    `Fixed code of ${nameOf(profile)}`,
    <TestCode appId={profile.appId} userId={profile.userId} suggested={suggested} />,
  );
