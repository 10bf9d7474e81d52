import { Button, FileButton, Group, Paper } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { App } from "#client/index.ts";
import { many } from "#contract/words/words.ts";
import { useApps } from "../../api/queries.ts";
import { ActionButton, TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { useKeys } from "../../ui/keys.ts";
import { Lines } from "../../ui/parts.tsx";
import { Loaded, Page, Screen, Section } from "../../ui/screen.tsx";
import { downloadFixtures, fileName } from "./export.ts";
import { GeneratePart } from "./generate-part.tsx";
import { ImportPlan } from "./import-plan.tsx";
import { removedQuery, resetData } from "./reset.ts";
import { SnapshotsPanel } from "./snapshots-panel.tsx";
import { useSources } from "./source.ts";
import { countWords } from "./world-words.ts";

/** Takes chosen files as if they had been dropped: there is one way in. */
const dropFiles = (files: readonly File[]): void => {
  const dataTransfer = new DataTransfer();
  for (const file of files) dataTransfer.items.add(file);
  window.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
};

const Import = () => (
  <Section title="Import">
    <Paper withBorder p={20} style={{ borderStyle: "dashed" }}>
      <Group justify="space-between" gap={16}>
        <div style={{ flex: "1 1 240px" }}>
          <p>Drop a file anywhere, or paste</p>
          <p className="dim">
            JSON, JSONC, CSV, NDJSON, an export of another tool, a saved login. You see the plan first.
          </p>
        </div>
        <FileButton multiple onChange={dropFiles}>
          {(props) => (
            <Button variant="filled" {...props}>
              Choose file…
            </Button>
          )}
        </FileButton>
      </Group>
    </Paper>
  </Section>
);

interface TaskProps {
  readonly title: ReactNode;
  readonly words: ReactNode;
  /** The button. */
  readonly children: ReactNode;
}

const Task = ({ title, words, children }: TaskProps) => (
  <Lines columns="minmax(0, 1fr) auto">
    <li>
      <div>
        <p className="cut">{title}</p>
        <p className="small">{words}</p>
      </div>
      {children}
    </li>
  </Lines>
);

const Overview = ({ apps }: { readonly apps: readonly App[] }) => {
  const { address, hrefWith } = useAddress();
  const { appName } = useApps();
  const shown = apps.filter(({ appId }) => address.app === null || appId === address.app);
  const sum = (kind: "profiles" | "connections") => shown.reduce((all, { counts }) => all + counts[kind], 0);
  const removed = useQuery(removedQuery(address.app, apps));
  const held = countWords({ profiles: sum("profiles"), connections: sum("connections") });
  return (
    <>
      <Import />
      <Task title="Generate users" words="Names, phones and emails of many countries, up to 100,000">
        <TextButton href={hrefWith({ show: "generate" })} label="Generate…" />
      </Task>
      <Section title="Export">
        <Task
          title={fileName(address.app, new Date())}
          words={`${address.app === null ? `${many(apps.length, "app")}, ` : ""}${held}. Contains secrets.`}
        >
          <ActionButton label="Download" act={() => downloadFixtures(address.app)} />
        </Task>
      </Section>
      <Section title="Reset">
        <Task
          title={
            <bdi>{address.app === null ? "All apps" : appName(address.app)} back to the fixtures of the start</bdi>
          }
          words={
            <>
              {removed.data && <span className="warn">{removed.data} </span>}
              Removes codes, sessions and faults, too. Requests and outcomes stay. Undo brings it back.
            </>
          }
        >
          <ActionButton
            label="Reset"
            disabled={removed.isLoading}
            act={() => resetData(address.app, apps, removed.isSuccess)}
          />
        </Task>
      </Section>
    </>
  );
};

/** The data as a whole: import first, then generate, export and reset; snapshots and the history at the side. */
export const DataScreen = () => {
  const { address, go } = useAddress();
  const { list } = useApps();
  const [source, ...others] = useSources().waiting;
  useKeys({ n: () => go({ show: "snapshot" }) });
  return (
    <Screen title="Data" detail={<SnapshotsPanel />}>
      <Loaded of={list}>
        {({ items }) => (
          <Page>
            {source ? (
              <ImportPlan key={source.id} source={source} others={others.length} apps={items} />
            ) : address.show === "generate" ? (
              <GeneratePart apps={items} />
            ) : (
              <Overview apps={items} />
            )}
          </Page>
        )}
      </Loaded>
    </Screen>
  );
};
