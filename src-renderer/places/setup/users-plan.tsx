import { Box, Group, NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type App, type FieldErrors, type Imported, StagedoorError } from "#client/index.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { counted, many, sentence } from "#contract/words/words.ts";
import { FaultList, type RowFaults } from "#people/faults.ts";
import { cutWords } from "#people/fitted.ts";
import type { PeopleOptions } from "#people/read-people.ts";
import { fieldsOf, ofApp } from "../../api/emulator.ts";
import { importBody, sendImport } from "../../api/send-import.ts";
import { TextButton, textField } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { BulletList } from "../../ui/parts.tsx";
import { AppSelect } from "../../ui/users.tsx";
import { CANNOT_BE_UNDONE } from "../../ui/words.ts";
import { FaultRows } from "./fault-rows.tsx";
import { ImportFoot, type ImportMode, NoPlan } from "./import-foot.tsx";
import { Examples, UsersColumns } from "./users-columns.tsx";
import type { Country, UsersReader } from "./users-reader.ts";

const PLACE = /^apps\[0\]\.profiles\[(\d+)\]\.?(.*)$/;

/** @returns the errors of the server, by the lines of their rows. */
const refusedRows = async (reader: UsersReader, errors: FieldErrors): Promise<RowFaults> => {
  const found = Object.entries(errors).flatMap(([path, reasons]) => {
    const [, place, field = path] = PLACE.exec(path) ?? [];
    return reasons.map((reason) => ({ place: Number(place ?? -1), field, reason }));
  });
  const rows = found.filter(({ place }) => place >= 0);
  const answer = await reader.ask({ places: rows.map(({ place }) => place) });
  const known = answer.kind === "rows" ? answer : { lines: [], values: [] };
  const list = new FaultList();
  for (const [i, { field, reason }] of rows.entries()) {
    const value = Object.entries(known.values[i] ?? {}).find(([key]) => key === field)?.[1];
    list.add(known.lines[i] ?? 1, field, typeof value === "string" ? value : null, reason);
  }
  for (const { place, field, reason } of found) if (place < 0) list.add(1, field, null, reason);
  return list.faults;
};

/** @returns the app in the form of an import: replacing deletes what is not sent, so it sends its own properties, too. */
const bodyApp = ({ appId, name, strategy, settings, createdAt }: App, mode: ImportMode): object =>
  mode === "merge" ? { appId } : { appId, name, strategy, settings, createdAt };

/** What the plan is made with. */
interface Choice {
  readonly map: Readonly<Record<string, string>>;
  readonly rest: "metadata" | "drop";
  readonly country: string;
  readonly takesFirst: boolean;
}

const FIRST_CHOICE: Choice = { map: {}, rest: "metadata", country: "", takesFirst: false };

const optionsOf = ({ map, rest, country, takesFirst }: Choice, app: App | undefined): PeopleOptions => ({
  map,
  rest,
  username: usernameField(app ?? { strategy: "phone" }),
  isLenient: app?.settings.validation === "lenient",
  ...(country === "" ? {} : { country }),
  ...(takesFirst && ({ duplicates: "first" } as const)),
});

interface UsersPlanProps {
  readonly reader: UsersReader;
  /** Of the source. */
  readonly id: number;
  readonly name: string;
  readonly notice: string | undefined;
  readonly apps: readonly App[];
}

/** @returns what the worker makes of the text, and what the server would do with it, or refuses. */
const usePlan = ({ reader, id, name }: UsersPlanProps, app: App | undefined, choice: Choice, mode: ImportMode) => {
  const options = optionsOf(choice, app);
  const planned = useQuery({
    queryKey: ["users-plan", id, options],
    queryFn: () => reader.ask({ options }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    structuralSharing: false,
  });
  const found = planned.data?.kind === "plan" ? planned.data : undefined;
  const isSound =
    found !== undefined && !planned.isPlaceholderData && found.plan.faults.total === 0 && found.plan.isUsable;
  const body = isSound && app !== undefined ? importBody(mode, bodyApp(app, mode), found.profiles) : null;
  const of = { ...(mode === "merge" ? {} : ofApp(app?.appId ?? null)), fit: true } as const;
  const tried = useQuery({
    queryKey: ["users-trial", id, options, app?.appId, mode],
    queryFn: async ({ signal }) => {
      if (body === null) return null;
      try {
        return await sendImport(body, { ...of, dryRun: true, signal });
      } catch (error) {
        if (!(error instanceof StagedoorError) || Object.keys(fieldsOf(error)).length === 0) throw error;
        return await refusedRows(reader, fieldsOf(error));
      }
    },
    enabled: body !== null,
    gcTime: 0,
  });
  const trial = tried.data;
  return {
    found,
    none: planned.data?.kind === "none" ? `${name}${planned.data.why}` : planned.error,
    users: trial && "users" in trial ? trial.users : undefined,
    refused: trial && "first" in trial ? trial : undefined,
    isUndoable: !(trial && "undoable" in trial),
    isChecking: planned.isFetching || tried.isFetching,
    error: tried.error,
    send: async (onSent: (share: number) => void): Promise<Imported> => await sendImport(body ?? "", { ...of, onSent }),
  };
};

const validWords = (count: number, { new: added, changed, same }: NonNullable<Imported["users"]>): string =>
  `Valid: ${many(count, "profile")}. ${counted(added)} new, ${counted(changed)} updated, ${counted(same)} unchanged.`;

/** @returns a sentence of the command line about an option, as one about the field here; empty: a button is for it. */
const asHere = (words: string): string =>
  words
    .replace(/^To take one of the rows .*/, "")
    .replace(/^Add the country of these numbers, .*/, "Choose the country of these numbers.")
    .replace(/^Add --country (\w\w), the country/, "Choose the country $1, that")
    .replace(/, with --country \w\w\./, ", and choose that country.")
    .replace(/ with --encoding\.$/, ".");

interface OptionsProps {
  readonly apps: readonly App[];
  readonly app: App | undefined;
  readonly choice: Choice;
  readonly countries: readonly Country[];
  readonly onApp: (appId: string) => void;
  readonly onChange: (part: Partial<Choice>) => void;
}

const Options = ({ apps, app, choice, countries, onApp, onChange }: OptionsProps) => (
  <Group my={8} align="end">
    <AppSelect apps={apps} {...textField(app?.appId ?? "", onApp)} />
    <NativeSelect
      label="Other columns"
      data={[
        { value: "metadata", label: "Keep as metadata" },
        { value: "drop", label: "Leave out" },
      ]}
      {...textField(choice.rest, (next) => onChange({ rest: next === "drop" ? "drop" : "metadata" }))}
    />
    <NativeSelect
      label="Country of national numbers"
      data={[
        { value: "", label: "None" },
        ...countries.map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
      ]}
      {...textField(choice.country, (country) => onChange({ country }))}
    />
  </Group>
);

/** The plan of an import of users, column by column. */
export const UsersPlan = (props: UsersPlanProps) => {
  const { notice, apps } = props;
  const { address } = useAddress();
  const [appId, setAppId] = useState(address.app);
  const [mode, setMode] = useState<ImportMode>("merge");
  const [choice, setChoice] = useState(FIRST_CHOICE);
  const change = (part: Partial<Choice>): void => setChoice((before) => ({ ...before, ...part }));
  const app = apps.find((one) => one.appId === appId) ?? apps[0];
  const { found, none, users, refused, isUndoable, isChecking, error, send } = usePlan(props, app, choice, mode);
  if (found === undefined) return none !== null && <NoPlan error={none} />;
  const { plan } = found;
  const faults = plan.faults.total > 0 ? plan.faults : refused;
  const cut = users?.cut ?? 0;
  const notices = [notice ?? "", ...plan.notices, cut > 0 ? cutWords(many(cut, "existing user")) : ""].filter(Boolean);
  const lost = mode === "merge" ? "" : `${many(app?.counts.profiles ?? 0, "profile")} will be deleted. `;
  return (
    <>
      <p className="dim">
        {sentence(plan.form)}, {many(plan.rows, "row")}.
      </p>
      <Options apps={apps} app={app} choice={choice} countries={plan.countries} onApp={setAppId} onChange={change} />
      {notices.length > 0 && (
        <Box my={8} role="status">
          <BulletList items={notices.map(asHere)} />
        </Box>
      )}
      {faults !== undefined && <FaultRows faults={faults} remedies={plan.remedies.map(asHere).filter(Boolean)} />}
      {plan.contradictions > 0 && (
        <TextButton onClick={() => change({ takesFirst: true })} label="Take the first of the rows that differ" />
      )}
      <ImportFoot
        label={`Import ${many(plan.count, "user")}`}
        isReady={users !== undefined && !isChecking}
        status={isChecking ? "Checking…" : users === undefined ? "" : validWords(plan.count, users)}
        mode={mode}
        onMode={setMode}
        replaces="Replace all other users"
        question={`${lost}${isUndoable ? "" : CANNOT_BE_UNDONE}`}
        send={send}
        error={error}
      />
      <Examples of={plan.examples} />
      <UsersColumns
        columns={plan.columns}
        rows={plan.rows}
        onChoose={(column, target) => change({ map: { ...choice.map, [column]: target } })}
      />
    </>
  );
};
