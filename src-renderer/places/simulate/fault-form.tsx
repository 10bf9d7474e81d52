import { Fieldset, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type PropsWithChildren, useEffect, useState } from "react";
import type { App, Fault } from "#client/index.ts";
import { type EffectName, effectsWith } from "#contract/service/faults.ts";
import { profileSearchQuery, shownName, useApps, usernameOf } from "../../api/queries.ts";
import type { Preset } from "../../shared/fault/fault-presets.ts";
import { effectWords, matchWords, oftenWords } from "../../shared/fault/fault-words.ts";
import { addFault, useWish } from "../../shared/fault/set-fault.ts";
import { announce } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Form, type FormState, keepDrafts, useForm } from "../../ui/form.tsx";
import { DetailPanel, DetailPart } from "../../ui/screen.tsx";
import { lowered } from "../../ui/words.ts";
import { EFFECT_FIELDS } from "./effect-fields.ts";
import { FaultCommand } from "./fault-command.tsx";
import { ENDS, emptyDraft, type FaultDraft, type FaultEnd, faultDraftOf, readDraft, shownFor } from "./fault-draft.ts";

const drafts = keepDrafts<FaultDraft>();
const SUGGESTED = 8;
const PAUSE_MS = 120;
const ANY = { value: "", label: "Any" };
const NO_RECIPIENT = { "match.to": ["Enter the user’s phone or email."] };

const Part = ({ title, children }: PropsWithChildren<{ readonly title: string }>) => (
  <Fieldset legend={title}>
    <Stack>{children}</Stack>
  </Fieldset>
);

const Recipients = ({ draft }: { readonly draft: FaultDraft }) => {
  const [text] = useDebouncedValue(draft.to.trim(), PAUSE_MS);
  const { appOf } = useApps();
  const { data } = useQuery(profileSearchQuery(draft.appId === "" ? null : draft.appId, text, SUGGESTED));
  return (
    <datalist id="fault-recipients">
      {data?.items.map((profile) => (
        <option
          key={`${profile.appId} ${profile.userId}`}
          value={usernameOf(appOf(profile.appId), profile) ?? ""}
          label={shownName(profile.name)}
        />
      ))}
    </datalist>
  );
};

const METHODS = [ANY, "GET", "POST", "PUT", "DELETE"];

const Requests = ({ form, apps, oneUser }: { form: FormState<FaultDraft>; apps: readonly App[]; oneUser: boolean }) => (
  <Part title="Which requests">
    <SimpleGrid minColWidth={180} spacing={12}>
      <NativeSelect
        label="Listener"
        autoFocus={!oneUser}
        data={[ANY, { value: "auth", label: "Auth: sign up, sign in" }, { value: "admin", label: "Admin: profiles" }]}
        {...form.text("listener", "match.listener")}
      />
      <NativeSelect label="Method" data={METHODS} {...form.text("method", "match.method")} />
      <NativeSelect
        label="App"
        data={[ANY, ...apps.map(({ appId, name }) => ({ value: appId, label: name }))]}
        {...form.text("appId", "match.appId")}
      />
      <TextInput
        label="Recipient"
        placeholder="Any"
        list="fault-recipients"
        autoFocus={oneUser}
        {...form.text("to", "match.to")}
      />
    </SimpleGrid>
    <TextInput
      label="Path"
      placeholder="Any, or for example /v1/profiles/*"
      classNames={{ input: "mono" }}
      {...form.text("path", "match.path")}
    />
    <Recipients draft={form.draft} />
  </Part>
);

const endTitle = (end: FaultEnd): string => (end === "none" ? "Only delay it" : (EFFECT_FIELDS[end].title ?? end));

const OFTEN = [
  { value: "next", label: "The next requests, then back to normal" },
  { value: "always", label: "All requests until turned off" },
];

const EffectField = ({ form, name }: { readonly form: FormState<FaultDraft>; readonly name: EffectName }) => {
  const { label, placeholder, keyboard, rows, choices } = EFFECT_FIELDS[name].input ?? {};
  const field = { label, placeholder, ...form.text(name, `effect.${name}`) };
  if (label === undefined) return null;
  if (choices !== undefined) return <NativeSelect data={[...choices]} {...field} />;
  if (rows !== undefined) return <Textarea rows={rows} classNames={{ input: "mono" }} {...field} />;
  return <TextInput inputMode={keyboard} {...field} />;
};

const Effect = ({ form }: { readonly form: FormState<FaultDraft> }) => {
  const { end, often } = form.draft;
  return (
    <Part title="What happens">
      <NativeSelect
        label="Effect"
        data={ENDS.map((value) => ({ value, label: endTitle(value) }))}
        {...form.text("end", "effect")}
      />
      {shownFor(end).map((name) => (
        <EffectField key={name} form={form} name={name} />
      ))}
      <SimpleGrid minColWidth={180} spacing={12}>
        {effectsWith("beside").map((name) => (
          <EffectField key={name} form={form} name={name} />
        ))}
        <NativeSelect label="Applies to" data={OFTEN} {...form.text("often")} />
        {often === "next" && (
          <TextInput label="Number of requests" inputMode="numeric" {...form.text("times", "times")} />
        )}
        <TextInput
          label="Percentage of requests"
          placeholder="All"
          inputMode="decimal"
          {...form.text("share", "probability")}
        />
        {form.draft.share !== "" && <TextInput label="Seed" placeholder="Random" {...form.text("seed", "seed")} />}
        <TextInput
          label="Active for (seconds)"
          placeholder="All the time"
          inputMode="decimal"
          {...form.text("part", "cycle.forMs")}
        />
        {form.draft.part !== "" && (
          <TextInput label="Out of every (seconds)" inputMode="decimal" {...form.text("period", "cycle.everyMs")} />
        )}
      </SimpleGrid>
    </Part>
  );
};

interface NewFaultProps {
  readonly preset: Preset | undefined;
  readonly onSet: (fault: Fault) => void;
  readonly onClose: () => void;
}

/** The form for a new fault, empty or from a preset: matching requests, effect, count; with a summary and a command. */
export const NewFault = ({ preset, onSet, onClose }: NewFaultProps) => {
  const { apps, appName } = useApps();
  const appId = useAddress().address.app;
  const [wish] = useState(() => useWish.getState().fault);
  useEffect(() => useWish.setState({ fault: undefined }), []);
  const oneUser = preset?.oneUser === true;
  const read = (draft: FaultDraft): Partial<ReturnType<typeof readDraft>> =>
    oneUser && draft.to.trim() === "" ? { wrong: NO_RECIPIENT } : readDraft(draft);
  const form = useForm({
    drafts,
    id: `${appId ?? ""} ${preset?.id ?? ""} ${wish ? JSON.stringify(wish) : ""}`,
    first: wish
      ? faultDraftOf(wish)
      : preset === undefined
        ? emptyDraft(appId)
        : { ...faultDraftOf(preset.fault), appId: appId ?? "" },
    check: (draft) => read(draft).wrong ?? {},
    save: async (draft) => {
      const { input } = read(draft);
      if (input === undefined) throw new Error("Fill in the marked fields.");
      return await addFault(input);
    },
    onSaved: (fault) => {
      announce(`Set: ${effectWords(fault.effect)}`);
      onSet(fault);
    },
  });
  const { input } = read(form.draft);
  const summary = input && (
    <>
      <bdi>{matchWords(input.match ?? {}, appName)}</bdi>: {lowered(effectWords(input.effect))}, {oftenWords(input)}.
    </>
  );
  return (
    <DetailPanel
      label="New fault"
      title={preset?.title ?? "Custom fault"}
      sub={preset?.words}
      onClose={() => form.leave(onClose)}
    >
      <Form
        of={form}
        submit="Set fault"
        onClose={onClose}
        hint={
          <p className="dim" data-testid="fault-sentence">
            {summary}
          </p>
        }
      >
        <Requests form={form} apps={apps} oneUser={oneUser} />
        <Effect form={form} />
      </Form>
      {input && (
        <DetailPart title="From a terminal">
          <FaultCommand fault={input} />
        </DetailPart>
      )}
    </DetailPanel>
  );
};
