import { Group, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { App } from "#client/index.ts";
import { searchFold } from "#contract/words/fold.ts";
import { many } from "#contract/words/words.ts";
import { createApp, renewSecret } from "../../api/actions.ts";
import { emulator } from "../../api/emulator.ts";
import { statusQuery, useApps } from "../../api/queries.ts";
import { ActionButton, TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { CopyButton, Secret } from "../../ui/code.tsx";
import { Form, keepDrafts, useForm } from "../../ui/form.tsx";
import { ListScreen, Row, RowLink, type RowPlace } from "../../ui/list-screen.tsx";
import { RelativeTime } from "../../ui/parts.tsx";
import { DetailPanel, DetailPart, Empty } from "../../ui/screen.tsx";
import { LeasePart, LeaseWatch, leaseWords } from "./lease-part.tsx";
import { recordsOf, undoWarning } from "./reset.ts";
import { SettingsForm, StrategyField, useSettingsForm } from "./settings-form.tsx";

const AppDetail = ({ app, onClose }: { readonly app: App; readonly onClose: () => void }) => {
  const form = useSettingsForm(app);
  const { profiles, sessions } = app.counts;
  return (
    <DetailPanel
      label={`App ${app.name}`}
      title={app.name}
      sub={
        <Group>
          <span className="mono">{app.appId}</span>
          <CopyButton text={app.appId} what="App id" />
        </Group>
      }
      onClose={() => form.leave(onClose)}
    >
      <LeasePart app={app} />
      <DetailPart title="Secret, for the app’s backend">
        <Secret secret={app.secret}>
          <ActionButton
            label="Regenerate"
            ask={{ title: "Generate a new secret?", words: "The old one stops working at once." }}
            act={() => renewSecret(app.appId)}
            says="Secret regenerated"
          />
        </Secret>
      </DetailPart>
      <SettingsForm app={app} form={form} onClose={onClose} />
      <DetailPart title="Delete">
        <ActionButton
          label="Delete app"
          ask={{
            title: `Delete ${app.name}?`,
            words: `Also deletes its profiles (${profiles}), passcodes and sessions (${sessions}). ${undoWarning(recordsOf([app])) ?? "Undo brings it back."}`,
          }}
          act={() => emulator.apps.delete(app.appId).then(() => form.answer(true))}
          says={`Deleted ${app.name}`}
        />
      </DetailPart>
    </DetailPanel>
  );
};

const NEW = { name: "", appId: "", secret: "", strategy: "phone" };
const drafts = keepDrafts<typeof NEW>();

const NewApp = ({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: (app: App) => void }) => {
  const form = useForm({
    drafts,
    id: "new",
    first: NEW,
    save: (draft) => createApp(Object.fromEntries(Object.entries(draft).filter(([, text]) => text !== ""))),
    onSaved: onMade,
  });
  return (
    <DetailPanel title="New app" onClose={() => form.leave(onClose)}>
      <Form of={form} submit="Create app" onClose={onClose}>
        <TextInput
          label="Name"
          description="Shown to users. Same as the app id if blank."
          autoFocus
          {...form.text("name")}
        />
        <StrategyField {...form.text("strategy")} />
        <TextInput
          label="App id"
          description="The appId that your app sends. Generated if blank."
          {...form.text("appId")}
        />
        <TextInput label="Secret" description="Sent by your backend. Generated if blank." {...form.text("secret")} />
      </Form>
    </DetailPanel>
  );
};

const LIST = {
  noun: "app",
  columns: [
    "minmax(0, 1fr) minmax(0, 1fr) 130px 66px 84px 66px",
    "minmax(0, 1fr) minmax(0, 1fr) 66px 84px",
    "minmax(0, 1fr) minmax(0, 1fr)",
  ],
} as const;

const setWords = ({ settings }: App): string => {
  const values = Object.values(settings).flatMap((one) => (typeof one === "object" ? Object.values(one) : [one]));
  return values.length === 0 ? "default settings" : `${many(values.length, "setting")} changed`;
};

const AppRow = ({ app, place }: { readonly app: App; readonly place: RowPlace }) => (
  <Row>
    <span className="cut">
      <RowLink {...place}>{app.name}</RowLink>
    </span>
    <span className="cut mono small">{app.appId}</span>
    <span className="cut small" data-wide>
      {leaseWords(app) ?? setWords(app)}
    </span>
    <span className="cut dim" data-middle>
      by {app.strategy}
    </span>
    <span className="cut dim" data-middle>
      {many(app.counts.profiles, "profile")}
    </span>
    <span className="small" data-wide data-end>
      <RelativeTime instant={app.createdAt} appId={app.appId} />
    </span>
  </Row>
);

/** Requests of jobs create and end apps without an event for the owner. */
const AGAIN_MS = 15_000;

/** How many apps of the join token there are, and who created them. */
const Shared = () => {
  const shared = useQuery({ ...statusQuery(), refetchInterval: AGAIN_MS }).data?.shared;
  if (shared === undefined) return null;
  const holders = shared.holders.map(({ address, apps }) => `${apps} by ${address ?? "jobs before the last start"}`);
  return (
    <p className="dim band">
      {[`${shared.apps} of ${many(shared.mostApps, "app")} of the join token`, ...holders].join(", ")}
    </p>
  );
};

/** The list of apps, the detail of one, and the form for a new one. */
export const AppsScreen = () => {
  const { address, go } = useAddress();
  const { list, apps } = useApps();
  const all = apps.map((app) => ({ id: app.appId, app }));
  const sought = searchFold(address.q.trim());
  const openNew = (): void => go({ show: "new", id: null });
  return (
    <>
      <LeaseWatch apps={apps} />
      <ListScreen
        {...LIST}
        list={list}
        all={all}
        fits={({ app }) => searchFold(`${app.name}\n${app.appId}`).includes(sought)}
        tools={all.length > 0 && <TextButton keys="n" onClick={openNew} label="New app" />}
        above={<Shared />}
        note={many(all.length, "app")}
        empty={
          <Empty title="No apps yet">
            <p>Each app has its own users, codes and sessions. Create one, and send its app id from your client.</p>
            <TextButton variant="filled" onClick={openNew} label="Create app" />
          </Empty>
        }
        keys={() => ({ n: openNew })}
        closed={{ show: null }}
        creating={
          address.show === "new" && (
            <NewApp onClose={() => go({ show: null })} onMade={({ appId }) => go({ id: appId, show: null, q: "" })} />
          )
        }
        row={({ app }, place) => <AppRow app={app} place={place} />}
        detail={({ id, app }, close) => <AppDetail key={id} app={app} onClose={close} />}
      />
    </>
  );
};
