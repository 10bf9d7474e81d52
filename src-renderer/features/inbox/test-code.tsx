import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { setTestPasscode } from "../../api/app-actions.ts";
import type { Profile } from "../../api/records.ts";
import { RequestFailed, wordsOf } from "../../api/request-failed.ts";
import classes from "./test-code.module.css";

const faultOf = (error: unknown): string => {
  const faults = error instanceof RequestFailed ? error.fields.testPasscode : undefined;
  return faults?.join(", ") ?? wordsOf(error);
};

/** A user's standing code: what it is, and how to set or clear it. */
export const TestCode = ({ profile, suggested }: { readonly profile: Profile; readonly suggested: string }) => {
  const { appId, userId, testPasscode } = profile;
  const [typed, setTyped] = useState<string | null>(null);
  const set = useMutation({
    mutationFn: (code: string | null) => setTestPasscode(appId, userId, code),
    onSuccess: () => setTyped(null),
  });
  const open = (text: string): void => {
    set.reset();
    setTyped(text);
  };
  if (typed === null)
    return (
      <div className={classes.code}>
        {testPasscode !== null && (
          <p>
            Always gets <span className="mono">{testPasscode}</span>, and can sign in with it at any time.
          </p>
        )}
        {set.isError && <p role="alert">{faultOf(set.error)}</p>}
        <div className={classes.buttons}>
          <Button onClick={() => open(testPasscode ?? suggested)}>
            {testPasscode === null ? "Fix this user’s code" : "Change it"}
          </Button>
          {testPasscode !== null && (
            <Button loading={set.isPending} onClick={() => set.mutate(null)}>
              Clear it
            </Button>
          )}
        </div>
      </div>
    );
  return (
    <form
      className={classes.code}
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate(typed);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        setTyped(null);
      }}
    >
      <TextInput
        label="The code this user always gets"
        classNames={{ input: "mono" }}
        inputMode="numeric"
        autoFocus
        value={typed}
        error={set.isError ? faultOf(set.error) : null}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" loading={set.isPending}>
          Save
        </Button>
        <Button onClick={() => setTyped(null)}>Cancel</Button>
      </div>
    </form>
  );
};
