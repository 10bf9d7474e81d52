import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { updateApp } from "../../api/app-actions.ts";
import type { App } from "../../api/records.ts";
import { RequestFailed, wordsOf } from "../../api/request-failed.ts";
import { announce } from "../../ui/announcer.tsx";
import { AskDiscard } from "../../ui/ask-discard.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DetailPanel, DetailPart } from "../../ui/detail-panel.tsx";
import { keepDrafts } from "../../ui/unsaved.ts";
import classes from "./app-detail.module.css";
import { DeletePart } from "./delete-part.tsx";
import { SecretPart } from "./secret-part.tsx";
import { SettingField } from "./setting-field.tsx";
import { changedPaths, type Draft, draftWire, SETTING_GROUPS, settingsChange, shownText } from "./setting-table.ts";
import { WirePreview } from "./wire-preview.tsx";

const STRATEGIES = ["phone", "email"];
const isStrategy = (text: string): text is App["strategy"] => STRATEGIES.includes(text);

const drafts = keepDrafts<Draft>();

interface AppDetailProps {
  readonly app: App;
  readonly onClose: () => void;
}

/** One app: its keys, and a form of all that can be set. What is typed is kept until it is saved or discarded. */
export const AppDetail = ({ app, onClose }: AppDetailProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<Draft>(() => drafts.get(app.appId) ?? {});
  const [asking, setAsking] = useState(false);
  const { name = app.name, strategy = app.strategy } = draft;
  const own = [...(name === app.name ? [] : ["name"]), ...(strategy === app.strategy ? [] : ["strategy"])];
  const changes = own.length + changedPaths(app.settings, draft).length;
  const save = useMutation({
    mutationFn: () =>
      updateApp(app.appId, {
        ...(own.includes("name") ? { name } : {}),
        ...(own.includes("strategy") ? { strategy } : {}),
        settings: settingsChange(app.settings, draft),
      }),
    onSuccess: () => announce("Saved"),
  });
  const set = (path: string, text: string): void => setDraft((before) => ({ ...before, [path]: text }));
  useEffect(() => {
    if (changes > 0) drafts.keep(app.appId, draft);
    else drafts.drop(app.appId);
  }, [app.appId, changes, draft]);
  // The form is long: what was refused may be far from the button.
  const { error } = save;
  useEffect(() => {
    const wrong = error === null ? null : form.current?.querySelector<HTMLElement>("[aria-invalid='true']");
    wrong?.scrollIntoView({ block: "center" });
    wrong?.focus({ preventScroll: true });
  }, [error]);
  const leave = (): void => {
    if (changes > 0) setAsking(true);
    else onClose();
  };
  const close = (): void => {
    drafts.drop(app.appId);
    onClose();
  };
  const faults = changes > 0 && save.error instanceof RequestFailed ? save.error.fields : {};
  const faultOf = (field: string): string | null => faults[field]?.join(", ") ?? null;
  const drafted = { appId: app.appId, strategy: isStrategy(strategy) ? strategy : app.strategy };
  return (
    <DetailPanel wide label={`App ${app.name}`} onClose={leave}>
      <h2 className={classes.name}>
        <bdi>{app.name}</bdi>
      </h2>
      <p className={classes.id}>
        <span className="mono">{app.appId}</span>
        <CopyButton text={app.appId} what="App id" />
      </p>
      <SecretPart app={app} />
      <form
        ref={form}
        aria-label="Settings"
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          leave();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          setAsking(false);
          if (changes > 0) save.mutate();
        }}
      >
        <DetailPart title="App">
          <div className={classes.pair}>
            <TextInput
              label="Name"
              error={faultOf("name")}
              value={name}
              onChange={(event) => set("name", event.currentTarget.value)}
            />
            <NativeSelect
              label="Strategy"
              description="The field that is the username."
              error={faultOf("strategy")}
              data={STRATEGIES}
              value={strategy}
              onChange={(event) => set("strategy", event.currentTarget.value)}
            />
          </div>
        </DetailPart>
        {SETTING_GROUPS.map((group) => (
          <DetailPart
            key={group.name}
            title={group.description === "" ? group.name : group.description.replace(/\.$/, "")}
          >
            {group.settings.map((setting) => (
              <SettingField
                key={setting.path}
                setting={setting}
                text={shownText(app.settings, draft, setting.path)}
                error={faultOf(`settings.${setting.path}`)}
                onChange={(text) => set(setting.path, text)}
              />
            ))}
            {group.name === "wire" && <WirePreview app={drafted} wire={draftWire(app.settings, draft)} />}
          </DetailPart>
        ))}
        {changes > 0 && asking && (
          <AskDiscard className={classes.save} onDiscard={close} onKeep={() => setAsking(false)} />
        )}
        {changes > 0 && !asking && (
          <div className={classes.save}>
            {save.isError && (
              <p role="alert" className={classes.alert}>
                {wordsOf(save.error)}
              </p>
            )}
            <span>{changes === 1 ? "1 change" : `${changes} changes`}</span>
            <Button
              onClick={() => {
                setDraft({});
                save.reset();
              }}
            >
              Discard
            </Button>
            <Button type="submit" variant="filled" loading={save.isPending}>
              Save
            </Button>
          </div>
        )}
      </form>
      <DeletePart app={app} onDeleted={close} />
    </DetailPanel>
  );
};
