/**
 * The fields of a fault, in three parts: which requests, what happens, how often.
 */
import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { faultReason } from "#contract/faults.ts";
import { profileSearchQuery } from "../../api/queries.ts";
import type { App } from "../../api/records.ts";
import { type Draft, ENDS, type End } from "./fault-draft.ts";
import { REASON_WORDS } from "./fault-words.ts";
import classes from "./faults.module.css";

const SUGGESTED = 8;
const PAUSE_MS = 120;

const END_WORDS: Readonly<Record<End, string>> = {
  none: "Carry it out, only late",
  status: "Answer a status",
  reason: "Refuse it as the service does",
  undelivered: "Send the code, but let it not arrive",
  drop: "Close the connection without an answer",
  reset: "Reset the connection",
};
const REASONS = Object.entries(REASON_WORDS).map(([value, words]) => ({
  value,
  label: words.charAt(0).toUpperCase() + words.slice(1),
}));
const ANY = { value: "", label: "Any" };

interface FieldsProps {
  readonly draft: Draft;
  /** What is wrong, by the field of the contract, such as `match.to`. */
  readonly wrong: Readonly<Record<string, readonly string[]>>;
  readonly apps: readonly App[];
  readonly onChange: (change: Partial<Draft>) => void;
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <fieldset className={classes.part}>
    <legend>{title}</legend>
    {children}
  </fieldset>
);

/** Usernames to choose from while one is typed. */
const Recipients = ({ id, appId, typed, apps }: { id: string; appId: string; typed: string; apps: readonly App[] }) => {
  const [text] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const { data } = useQuery(profileSearchQuery(appId === "" ? null : appId, text, SUGGESTED));
  return (
    <datalist id={id}>
      {data?.items.map((profile) => {
        const strategy = apps.find((app) => app.appId === profile.appId)?.strategy ?? "phone";
        const username = profile[strategy];
        return username === null ? null : (
          <option key={`${profile.appId} ${profile.userId}`} value={username} label={profile.name ?? "No name"} />
        );
      })}
    </datalist>
  );
};

const Requests = ({ draft, wrong, apps, onChange }: FieldsProps) => (
  <Part title="Which requests">
    <div className={classes.pair}>
      <NativeSelect
        label="Listener"
        data={[ANY, { value: "auth", label: "Auth: sign up, sign in" }, { value: "admin", label: "Admin: profiles" }]}
        error={wrong["match.listener"]?.join(", ") ?? null}
        value={draft.listener}
        onChange={(event) => onChange({ listener: event.currentTarget.value })}
      />
      <NativeSelect
        label="Method"
        data={[ANY, "GET", "POST", "PUT", "DELETE"]}
        error={wrong["match.method"]?.join(", ") ?? null}
        value={draft.method}
        onChange={(event) => onChange({ method: event.currentTarget.value })}
      />
    </div>
    <TextInput
      label="Path"
      placeholder="Any, or such as /v1/profiles/*"
      classNames={{ input: "mono" }}
      autoComplete="off"
      error={wrong["match.path"]?.join(", ") ?? null}
      value={draft.path}
      onChange={(event) => onChange({ path: event.currentTarget.value })}
    />
    <div className={classes.pair}>
      <NativeSelect
        label="App"
        data={[ANY, ...apps.map(({ appId, name }) => ({ value: appId, label: name }))]}
        error={wrong["match.appId"]?.join(", ") ?? null}
        value={draft.appId}
        onChange={(event) => onChange({ appId: event.currentTarget.value })}
      />
      <TextInput
        label="Recipient"
        placeholder="Anybody"
        autoComplete="off"
        list="fault-recipients"
        error={wrong["match.to"]?.join(", ") ?? null}
        value={draft.to}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
      />
    </div>
    <Recipients id="fault-recipients" appId={draft.appId} typed={draft.to} apps={apps} />
  </Part>
);

const Happens = ({ draft, wrong, onChange }: FieldsProps) => (
  <Part title="What happens">
    <NativeSelect
      label="What to do with it"
      data={ENDS.map((value) => ({ value, label: END_WORDS[value] }))}
      error={(wrong.effect ?? wrong["effect.undelivered"])?.join(", ") ?? null}
      value={draft.end}
      onChange={(event) => onChange({ end: ENDS.find((end) => end === event.currentTarget.value) ?? "none" })}
    />
    {draft.end === "status" && (
      <>
        <TextInput
          label="Status"
          inputMode="numeric"
          autoComplete="off"
          error={wrong["effect.status"]?.join(", ") ?? null}
          value={draft.status}
          onChange={(event) => onChange({ status: event.currentTarget.value })}
        />
        <Textarea
          label="Body"
          placeholder="JSON or plain text; the usual body of an error if empty"
          rows={2}
          classNames={{ input: "mono" }}
          error={wrong["effect.body"]?.join(", ") ?? null}
          value={draft.body}
          onChange={(event) => onChange({ body: event.currentTarget.value })}
        />
      </>
    )}
    {draft.end === "reason" && (
      <NativeSelect
        label="Because"
        data={REASONS}
        error={wrong["effect.reason"]?.join(", ") ?? null}
        value={draft.reason}
        onChange={(event) =>
          onChange({ reason: faultReason.safeParse(event.currentTarget.value).data ?? draft.reason })
        }
      />
    )}
    <TextInput
      label="Wait first, in seconds"
      placeholder="No"
      inputMode="decimal"
      autoComplete="off"
      error={wrong["effect.delayMs"]?.join(", ") ?? null}
      value={draft.delay}
      onChange={(event) => onChange({ delay: event.currentTarget.value })}
    />
  </Part>
);

const HowOften = ({ draft, wrong, onChange }: FieldsProps) => (
  <Part title="How often">
    <div className={classes.pair}>
      <NativeSelect
        label="It meets"
        data={[
          { value: "next", label: "The next few, then they recover" },
          { value: "always", label: "All, until it is turned off" },
        ]}
        value={draft.often}
        onChange={(event) => onChange({ often: event.currentTarget.value === "always" ? "always" : "next" })}
      />
      {draft.often === "next" && (
        <TextInput
          label="How many requests"
          inputMode="numeric"
          autoComplete="off"
          error={wrong.times?.join(", ") ?? null}
          value={draft.times}
          onChange={(event) => onChange({ times: event.currentTarget.value })}
        />
      )}
    </div>
  </Part>
);

/** The form's fields. */
export const FaultFields = (props: FieldsProps) => (
  <>
    <Requests {...props} />
    <Happens {...props} />
    <HowOften {...props} />
  </>
);
