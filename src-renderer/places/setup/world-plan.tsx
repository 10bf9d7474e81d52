import { NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import type { App } from "#client/index.ts";
import { many } from "#contract/words/words.ts";
import { fieldsOf, ofApp } from "../../api/emulator.ts";
import { sendImport } from "../../api/send-import.ts";
import { textField } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Lines } from "../../ui/parts.tsx";
import { CANNOT_BE_UNDONE } from "../../ui/words.ts";
import { FaultRows } from "./fault-rows.tsx";
import { ImportFoot, type ImportMode } from "./import-foot.tsx";
import { recordsOf, undoWarning } from "./reset.ts";
import { faultsIn } from "./source.ts";
import { countWords, sizeWords } from "./world-words.ts";

const count = z
  .array(z.unknown())
  .optional()
  .transform((records) => records?.length ?? 0);
/** What the plan shows of fixtures; the server checks them. */
const outline = z.object({
  apps: z.array(
    z
      .object({ appId: z.string(), name: z.string().optional() })
      .and(z.object({ profiles: count, connections: count, passcodes: count, sessions: count })),
  ),
});
type Outline = z.output<typeof outline>["apps"][number];

const SHOWN = 20;

/** The apps of the fixtures, one per row. @param known the existing apps, to tell which are new. */
const AppLines = ({ apps, known }: { readonly apps: readonly Outline[]; readonly known: readonly App[] }) => (
  <Lines
    label="Apps"
    columns="minmax(0, 1fr) minmax(0, 1fr) minmax(0, 1.4fr) minmax(0, 1.2fr)"
    narrow="minmax(0, 1fr) minmax(0, 1fr)"
  >
    {apps.slice(0, SHOWN).map(({ appId, name, ...counts }, i) => {
      const before = known.find((one) => one.appId === appId);
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text may name an app twice
        <li key={i}>
          <strong>
            <bdi>{name ?? before?.name ?? appId}</bdi>
          </strong>
          <span className="mono dim">{appId}</span>
          <span>{countWords(counts)}</span>
          <span className="dim">
            {before === undefined ? "new app" : `has ${many(before.counts.profiles, "profile")}`}
          </span>
        </li>
      );
    })}
    {apps.length > SHOWN && <li>and {many(apps.length - SHOWN, "app")} more</li>}
  </Lines>
);

const modeWords = (mode: ImportMode, only: string | null): string => {
  if (mode === "merge") return "Updates matching profiles (by userId, then by phone or email) and adds new ones.";
  if (only === null) return "Deletes all data, including apps that are not in the file, then imports this.";
  return `Deletes everything in ${only}, then imports this. Other apps are not touched.`;
};

interface WorldPlanProps {
  readonly value: unknown;
  /** Of the source. */
  readonly id: number;
  readonly text: string;
  readonly apps: readonly App[];
}

/** The plan of fixtures, from a dry run on the server. */
export const WorldPlan = ({ value, id, text, apps }: WorldPlanProps) => {
  const { address } = useAddress();
  const [mode, setMode] = useState<ImportMode>("merge");
  const [chosen, setChosen] = useState(address.app);
  const found = outline.safeParse(value).data?.apps ?? [];
  const only = found.some(({ appId }) => appId === chosen) ? chosen : null;
  const body = () => JSON.stringify({ mode, state: value });
  const tried = useQuery({
    queryKey: ["import", id, mode, only],
    queryFn: ({ signal }) => sendImport(body(), { ...ofApp(only), dryRun: true, signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const errors = fieldsOf(tried.error);
  const isField = Object.keys(errors).length > 0;
  const going = only === null ? apps : apps.filter(({ appId }) => appId === only);
  const replaced = going.reduce((sum, { counts }) => sum + counts.profiles, 0);
  const records = recordsOf(going);
  const warning =
    tried.data?.undoable === false
      ? CANNOT_BE_UNDONE
      : undoWarning(mode === "merge" ? Math.min(records, tried.data?.profiles ?? 0) : records);
  const question =
    mode === "merge" || going.length === 0
      ? (warning ?? "")
      : `${many(replaced, "profile")} of ${only ?? many(going.length, "app")} will be deleted. ${warning ?? ""}`;
  return (
    <>
      <AppLines apps={found.filter(({ appId }) => only === null || appId === only)} known={apps} />
      {(found.length > 1 || only !== null) && (
        <NativeSelect
          mt={16}
          maw={320}
          aria-label="Apps to import"
          data={[
            { value: "", label: "All apps in the file" },
            ...found.map(({ appId, name }) => ({ value: appId, label: `Only ${name ?? appId}` })),
          ]}
          {...textField(only ?? "", (appId) => setChosen(appId === "" ? null : appId))}
        />
      )}
      {isField && <FaultRows faults={faultsIn(text, errors)} />}
      <ImportFoot
        label="Import"
        isReady={tried.isSuccess && !tried.isPlaceholderData}
        status={
          tried.isFetching
            ? `Checking ${sizeWords(text.length)}…`
            : tried.isSuccess
              ? `Valid: ${countWords(tried.data)}.`
              : ""
        }
        mode={mode}
        onMode={setMode}
        replaces={`Replace all data${only === null ? "" : ` of ${only}`}`}
        question={question}
        send={(onSent) => sendImport(body(), { ...ofApp(only), onSent })}
        error={isField ? null : tried.error}
      />
      <p className="dim">{modeWords(mode, only)}</p>
    </>
  );
};
