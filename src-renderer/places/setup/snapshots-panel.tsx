import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { List, Snapshot } from "#client/index.ts";
import { snapshotName } from "#contract/control/snapshots.ts";
import { readAgain } from "../../api/cache.ts";
import { emulator, ofApp } from "../../api/emulator.ts";
import { query, useApps } from "../../api/queries.ts";
import { History } from "../../shared/history/history.tsx";
import { announce, askFirst, complain, TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Form, keepDrafts, useForm } from "../../ui/form.tsx";
import { Lines, RelativeTime } from "../../ui/parts.tsx";
import { ActionsMenu, type RowAction } from "../../ui/row-actions.tsx";
import { DetailPart, Loaded, SidePanel } from "../../ui/screen.tsx";
import { recordsOf, restoreTargetOf, undoWarning } from "./reset.ts";
import { countWords } from "./world-words.ts";

/** Maximum number of apps whose snapshots are listed while all apps are shown. */
const MOST_APPS = 50;

/** The snapshots of all apps together, and of each of these apps, newest first. */
const snapshotsQuery = (appIds: readonly string[]) =>
  query(["snapshots", appIds], async ({ snapshots }) => {
    const scopes = [null, ...appIds.slice(0, MOST_APPS)];
    const lists: List<Snapshot>[] = await Promise.all(scopes.map((appId) => snapshots.list(ofApp(appId))));
    const all = lists.flatMap(({ items }) => items);
    return all.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.seq - a.seq);
  });

const NONE: readonly Snapshot[] = [];

const useSnapshots = () => {
  const { address } = useAddress();
  const { list, apps } = useApps();
  const scopes = address.app === null ? apps.map(({ appId }) => appId) : [address.app];
  return useQuery({ ...snapshotsQuery(scopes), enabled: address.app !== null || list.isSuccess });
};

/** @returns what can be done with a snapshot. */
const useSnapshotActions = (snapshot: Snapshot, all: readonly Snapshot[]): readonly RowAction[] => {
  const { name, appId } = snapshot;
  const { address } = useAddress();
  const { apps, appOf, appName } = useApps();
  const target = restoreTargetOf(snapshot, address.app, all);
  const app = appOf(target.appId);
  const warning = undoWarning(recordsOf(app === undefined ? apps : [app]));
  const whose = target.appId === null ? "all apps" : appName(target.appId);
  const restore = async (): Promise<void> => {
    await emulator.snapshots.restore(name, ofApp(target.appId));
    await readAgain("snapshots");
    announce(`Restored ${name}: ${whose}.`);
  };
  const remove = async (): Promise<void> => {
    await emulator.snapshots.delete(name, ofApp(appId));
    await readAgain("snapshots");
    announce(`Deleted ${name}`);
  };
  const ask = (title: string, words: string, label: string, act: () => Promise<void>): void =>
    askFirst({ title, words, label, onConfirm: () => void act().catch(complain) });
  return [
    {
      label: "Restore",
      name: `Restore ${name}${appId === target.appId ? "" : ` in ${whose} only`}`,
      act: () => (warning === null ? restore() : ask(`Restore ${name}?`, warning, "Restore", restore)),
    },
    {
      label: "Delete",
      name: `Delete ${name}`,
      act: () => ask(`Delete ${name}?`, "This cannot be undone.", "Delete", remove),
    },
  ];
};

const SnapshotLine = ({ snapshot, all }: { readonly snapshot: Snapshot; readonly all: readonly Snapshot[] }) => {
  const { name, appId, counts, createdAt } = snapshot;
  const { address } = useAddress();
  const { appName } = useApps();
  const { profiles, sessions } = counts;
  const actions = useSnapshotActions(snapshot, all);
  const whose = appId === null ? "all apps, " : address.app === null ? `${appName(appId)}, ` : "";
  return (
    <li>
      <div>
        <p className="cut">{name}</p>
        <p className="small">
          <bdi>{whose}</bdi>
          {countWords({ profiles, sessions })}, <RelativeTime instant={createdAt} />
        </p>
      </div>
      <ActionsMenu inRow label={`More for ${name}`} items={() => actions} />
    </li>
  );
};

const drafts = keepDrafts<{ readonly name: string }>();

interface NewSnapshotProps {
  readonly taken: readonly Snapshot[];
  readonly onClose: () => void;
}

const NewSnapshot = ({ taken, onClose }: NewSnapshotProps) => {
  const { appName } = useApps();
  const appId = useAddress().address.app;
  const form = useForm({
    drafts,
    id: appId ?? "",
    first: { name: "" },
    save: async ({ name }) => {
      const snapshot = await emulator.snapshots.save(name.trim(), ofApp(appId));
      await readAgain("snapshots");
      return snapshot;
    },
    onSaved: ({ name }) => {
      announce(`Saved ${name}`);
      onClose();
    },
  });
  const name = form.draft.name.trim();
  const checked = snapshotName.safeParse(name);
  const fault = checked.success || name === "" ? null : (checked.error.issues[0]?.message ?? null);
  const overwrites = taken.some((one) => one.name === name && one.appId === appId);
  const field = form.text("name");
  return (
    <Form of={form} submit={overwrites ? "Overwrite" : "Save"} disabled={!checked.success} onClose={onClose}>
      <TextInput
        {...field}
        label="Name"
        placeholder="before-login"
        description={
          <>
            Saves <bdi>{appId === null ? "all apps" : appName(appId)}</bdi> as of now.
            {overwrites && " Overwrites the snapshot with this name."}
          </>
        }
        error={fault ?? field.error}
        spellCheck={false}
        // The user opened this form to type the name.
        autoFocus
      />
    </Form>
  );
};

/** The snapshots of the current app and of all apps, and what was done in the windows of the console. */
export const SnapshotsPanel = () => {
  const { address, hrefWith, go } = useAddress();
  const list = useSnapshots();
  const all = list.data ?? NONE;
  return (
    <SidePanel title="Snapshots" words="Everything but the log, kept under a name">
      {address.show === "snapshot" ? (
        <NewSnapshot taken={all} onClose={() => go({ show: null })} />
      ) : (
        <TextButton mb={16} href={hrefWith({ show: "snapshot" })} keys="n" label="Save snapshot" />
      )}
      <Loaded of={list}>
        {(snapshots) =>
          snapshots.length === 0 ? (
            <p className="dim">No snapshots yet. Save one before a test, and restore it afterwards.</p>
          ) : (
            <Lines label="Snapshots" columns="minmax(0, 1fr) auto">
              {snapshots.map((snapshot) => (
                <SnapshotLine key={`${snapshot.name}@${snapshot.appId}`} snapshot={snapshot} all={snapshots} />
              ))}
            </Lines>
          )
        }
      </Loaded>
      <DetailPart title="History">
        <History />
      </DetailPart>
    </SidePanel>
  );
};
