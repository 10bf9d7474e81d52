import { NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { App, Fault, FaultInput } from "#client/index.ts";
import { EFFECT_NAMES } from "#contract/service/faults.ts";
import { statusQuery, useApps } from "../../api/queries.ts";
import type { Preset } from "../../shared/fault/fault-presets.ts";
import { effectWords, matchWords, oftenWords } from "../../shared/fault/fault-words.ts";
import { addFault, useWish } from "../../shared/fault/set-fault.ts";
import { announce } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { CodeBlock } from "../../ui/code.tsx";
import { Form, type FormState, keepDrafts, useForm } from "../../ui/form.tsx";
import { DetailPanel, DetailPart } from "../../ui/screen.tsx";
import { lowered } from "../../ui/words.ts";
import { emptyDraft, FAULT_KINDS, type FaultDraft, faultCurl, faultDraftOf, readDraft } from "./fault-draft.ts";

const drafts = keepDrafts<FaultDraft>();
const ANY = { value: "", label: "Any" };
const NO_RECIPIENT = { "match.to": ["Enter the user’s phone or email."] };

const METHODS = [ANY, "GET", "POST", "PUT", "DELETE"];
const KINDS = Object.entries(FAULT_KINDS).map(([value, label]) => ({ value, label }));

const Requests = ({ form, apps, oneUser }: { form: FormState<FaultDraft>; apps: readonly App[]; oneUser: boolean }) => (
  <>
    <SimpleGrid minColWidth={160} spacing={12}>
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
      <TextInput label="Recipient" placeholder="Any" autoFocus={oneUser} {...form.text("to", "match.to")} />
    </SimpleGrid>
    <TextInput
      label="Path"
      placeholder="Any, or for example /v1/profiles/*"
      classNames={{ input: "mono" }}
      {...form.text("path", "match.path")}
    />
  </>
);

const Effect = ({ form }: { readonly form: FormState<FaultDraft> }) => {
  const { kind } = form.draft;
  return (
    <>
      <SimpleGrid minColWidth={160} spacing={12}>
        <NativeSelect label="Effect" data={KINDS} {...form.text("kind", "effect")} />
        {kind === "status" && (
          <TextInput label="Status" inputMode="numeric" {...form.text("status", "effect.status")} />
        )}
        {kind === "delay" && (
          <TextInput label="Delay in seconds" inputMode="decimal" {...form.text("seconds", "effect.delayMs")} />
        )}
        <TextInput
          label="Number of requests"
          placeholder="All until turned off"
          inputMode="numeric"
          {...form.text("times", "times")}
        />
      </SimpleGrid>
      {kind === "other" && (
        <Textarea
          label="JSON"
          description={`effect: ${EFFECT_NAMES.join(", ")}. Next to it: probability, seed, cycle.`}
          autosize
          minRows={4}
          maxRows={14}
          spellCheck={false}
          classNames={{ input: "mono" }}
          {...form.text("json")}
        />
      )}
    </>
  );
};

/** A command that adds a fault. */
export const FaultCommand = ({ fault }: { readonly fault: FaultInput }) => {
  const { data: status } = useQuery(statusQuery());
  return (
    <DetailPart title="From a terminal">
      {status && <CodeBlock what="Command" text={faultCurl(status.urls.console, fault)} />}
    </DetailPart>
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
        submit="Turn on"
        onClose={onClose}
        hint={
          <p className="dim" data-testid="fault-sentence">
            {summary}
          </p>
        }
      >
        <Stack>
          <Requests form={form} apps={apps} oneUser={oneUser} />
          <Effect form={form} />
        </Stack>
      </Form>
      {input && <FaultCommand fault={input} />}
    </DetailPanel>
  );
};
