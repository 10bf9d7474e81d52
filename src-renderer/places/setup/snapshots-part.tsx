import { Group, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Snapshot } from "#client/index.ts";
import { snapshotName } from "#contract/control/snapshots.ts";
import { many } from "#contract/words/words.ts";
import { readAgain } from "../../api/cache.ts";
import { emulator, ofApp } from "../../api/emulator.ts";
import { useApps } from "../../api/queries.ts";
import { ActionButton, announce, TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Form, keepDrafts, useForm } from "../../ui/form.tsx";
import { Cell, ListScreen, Row, RowLink, type RowPlace } from "../../ui/list-screen.tsx";
import { Facts, RelativeTime } from "../../ui/parts.tsx";
import { DetailPanel, DetailPart, Empty } from "../../ui/screen.tsx";
import { FixtureTools } from "./fixture-tools.tsx";
import { recordsOf, undoWarning } from "./reset.ts";
import { idOf, restoreTargetOf, type SnapshotRef, snapshotsQuery } from "./snapshot-queries.ts";
import { countWords } from "./world-words.ts";

/** Reloads what saving, restoring or deleting a snapshot changes. */
const refetch = (): Promise<unknown> => readAgain("snapshots");

interface SnapshotDetailProps {
  readonly snapshot: Snapshot;
  readonly target: SnapshotRef;
  readonly onClose: () => void;
}

const SnapshotDetail = ({ snapshot, target, onClose }: SnapshotDetailProps) => {
  const { name, appId, createdAt, counts: held } = snapshot;
  const { list, apps, appOf, appName } = useApps();
  const app = appOf(target.appId);
  const warning = undoWarning(recordsOf(app === undefined ? apps : [app]));
  const whose = target.appId === null ? "all apps" : appName(target.appId);
  return (
    <DetailPanel label={`Snapshot ${name}`} title={name} onClose={onClose}>
      <Group>
        <ActionButton
          label="Restore"
          disabled={!list.isSuccess}
          {...(warning !== null && { ask: { title: `Restore ${name}?`, words: warning } })}
          says={`Restored ${name}: ${whose}.`}
          act={() => emulator.snapshots.restore(name, ofApp(target.appId)).then(refetch)}
        />
        <ActionButton
          label="Delete"
          ask={{ title: `Delete ${name}?`, words: "This cannot be undone." }}
          says={`Deleted ${name}`}
          act={async () => {
            await emulator.snapshots.delete(name, ofApp(appId));
            onClose();
            await refetch();
          }}
        />
      </Group>
      <DetailPart title="Snapshot">
        <Facts
          of={{
            App: <bdi>{appId === null ? "all apps" : appName(appId)}</bdi>,
            "Applies to": appId !== target.appId && <bdi>{whose} only</bdi>,
            Saved: <RelativeTime instant={createdAt} />,
            Contains: countWords(held),
          }}
        />
      </DetailPart>
    </DetailPanel>
  );
};

interface NewSnapshotProps {
  readonly appId: string | null;
  readonly taken: readonly Snapshot[];
  readonly onSaved: (snapshot: Snapshot) => void;
  readonly onClose: () => void;
}

const drafts = keepDrafts<{ readonly name: string }>();

const NewSnapshot = ({ appId, taken, onSaved, onClose }: NewSnapshotProps) => {
  const { appName } = useApps();
  const form = useForm({
    drafts,
    id: appId ?? "",
    first: { name: "" },
    save: async ({ name }) => {
      const snapshot = await emulator.snapshots.save(name.trim(), ofApp(appId));
      await refetch();
      return snapshot;
    },
    onSaved: (snapshot) => {
      announce(`Saved ${snapshot.name}`);
      onSaved(snapshot);
    },
  });
  const name = form.draft.name.trim();
  const checked = snapshotName.safeParse(name);
  const fault = checked.success || name === "" ? null : (checked.error.issues[0]?.message ?? null);
  const overwrites = taken.some((one) => one.name === name && one.appId === appId);
  const field = form.text("name");
  return (
    <DetailPanel label="New snapshot" title="Save snapshot" onClose={() => form.leave(onClose)}>
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
          // The user opened this panel to type the name.
          autoFocus
        />
      </Form>
    </DetailPanel>
  );
};

const COLUMNS = ["minmax(0, 1fr) minmax(0, 1fr) 84px", "minmax(0, 1fr)"] as const;
const NONE: readonly Snapshot[] = [];
/** The URL of the form for a new snapshot; no snapshot id looks like this. */
const NEW = "new";

interface SnapshotRowProps {
  readonly snapshot: Snapshot;
  readonly place: RowPlace;
}

const SnapshotRow = ({ snapshot: { name, appId, counts, createdAt }, place }: SnapshotRowProps) => {
  const { appName } = useApps();
  const { passcodes, sessions, profiles } = counts;
  return (
    <Row>
      <Cell sub={<bdi>{appId === null ? `all ${many(counts.apps, "app")}` : appName(appId)}</bdi>}>
        <RowLink {...place}>{name}</RowLink>
      </Cell>
      <Cell wide sub={passcodes + sessions === 0 ? "no sessions" : countWords({ passcodes, sessions })}>
        {countWords({ profiles })}
      </Cell>
      <Cell wide end>
        <RelativeTime instant={createdAt} />
      </Cell>
    </Row>
  );
};

/** Snapshots of the current app and of all apps. */
export const SnapshotsPart = () => {
  const { address, hrefWith, go } = useAddress();
  const { list: appList, apps } = useApps();
  const scopes = address.app === null ? apps.map(({ appId }) => appId) : [address.app];
  const list = useQuery({ ...snapshotsQuery(scopes), enabled: address.app !== null || appList.isSuccess });
  const snapshots = list.data ?? NONE;
  const all = snapshots.map((snapshot) => ({ id: idOf(snapshot), snapshot }));
  const target = (snapshot: Snapshot): SnapshotRef => restoreTargetOf(snapshot, address.app, snapshots);
  const creating = address.id === NEW;
  const save = <TextButton href={hrefWith({ id: NEW, q: "" })} keys="n" label="Save snapshot" />;
  return (
    <ListScreen
      title="Data"
      label="Snapshots"
      noun="snapshot"
      wide
      list={appList.isError ? appList : list}
      columns={COLUMNS}
      all={all}
      tools={
        <>
          <FixtureTools />
          {all.length > 0 && save}
        </>
      }
      note="Newest first"
      empty={
        <Empty title="No snapshots yet">
          <p>
            A snapshot keeps profiles, passcodes, sessions, connections, settings and clocks. Save one before a test and
            restore it afterwards.
          </p>
          {!creating && save}
        </Empty>
      }
      keys={() => ({ n: () => go({ id: NEW, q: "" }) })}
      closed={{ q: "" }}
      creating={
        creating && (
          <NewSnapshot
            appId={address.app}
            taken={snapshots}
            onSaved={(snapshot) => go({ id: idOf(snapshot), q: "" }, { replace: true })}
            onClose={() => go({ id: null, q: "" })}
          />
        )
      }
      row={({ snapshot }, place) => <SnapshotRow snapshot={snapshot} place={place} />}
      detail={({ id, snapshot }, close) => (
        <SnapshotDetail key={id} snapshot={snapshot} target={target(snapshot)} onClose={close} />
      )}
    />
  );
};
