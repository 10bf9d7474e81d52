import { Box, Group, NativeSelect, Switch, Textarea, TextInput } from "@mantine/core";
import type { App } from "#client/index.ts";
import { STRATEGY_NAMES, strategyOf } from "#contract/service/strategies.ts";
import { finds } from "#contract/words/fold.ts";
import { many } from "#contract/words/words.ts";
import { updateApp } from "../../api/actions.ts";
import { announce, TextButton, useTexts } from "../../ui/action.tsx";
import { type Field, Form, type FormState, keepDrafts, useForm } from "../../ui/form.tsx";
import { LogoField } from "./logo-field.tsx";
import {
  changedPaths,
  defaultText,
  SETTING_GROUPS,
  type Setting,
  type SettingDraft,
  settingsChange,
  shownText,
} from "./setting-table.ts";

const drafts = keepDrafts<SettingDraft>();

/** The strategy of an app. */
export const StrategyField = (field: Field) => (
  <NativeSelect label="Strategy" description="The field that users sign in with." data={STRATEGY_NAMES} {...field} />
);

/** @returns the form state for an app's name, strategy and settings. */
export const useSettingsForm = (app: App): FormState<SettingDraft> =>
  useForm<SettingDraft, App>({
    drafts,
    id: app.appId,
    first: {},
    same: (_, draft) => changesOf(app, draft) === 0,
    save: ({ name = app.name, strategy = app.strategy, ...settings }) =>
      updateApp(app.appId, {
        ...(name !== app.name && { name }),
        ...(strategy !== app.strategy && { strategy: strategyOf(strategy) }),
        settings: settingsChange(app.settings, settings),
      }),
    onSaved: () => announce("Saved"),
  });

const changesOf = (app: App, { name = app.name, strategy = app.strategy, ...settings }: SettingDraft): number =>
  Number(name !== app.name) + Number(strategy !== app.strategy) + changedPaths(app.settings, settings).length;

interface ControlProps {
  readonly setting: Setting;
  readonly field: Field;
  readonly onChange: (text: string) => void;
}

const Control = ({ setting, field, onChange }: ControlProps) => {
  const { label, kind, choices, description, nullable } = setting;
  const common = { ...field, label, description };
  if (kind === "switch")
    return (
      <Switch
        {...{ label, description, error: field.error }}
        checked={field.value === "true"}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
    );
  if (kind === "choice") return <NativeSelect {...common} data={[...new Set([...choices, field.value])]} />;
  if (kind === "long") return <Textarea {...common} rows={3} />;
  if (kind === "json") return <Textarea {...common} rows={3} autosize maxRows={12} classNames={{ input: "mono" }} />;
  if (kind === "picture") return <LogoField common={common} onChange={onChange} />;
  const placeholder = kind === "list" ? "none" : nullable ? "not set" : "";
  return <TextInput {...common} inputMode={kind === "number" ? "numeric" : "text"} placeholder={placeholder} />;
};

const SHOWN: Readonly<Record<string, string>> = { "": "not set", true: "on", false: "off" };

const SettingField = ({ setting, field, onChange, initial }: ControlProps & { readonly initial: string }) => {
  const { path, label, source } = setting;
  return (
    <Box py={8}>
      <Control setting={setting} field={field} onChange={onChange} />
      <Group className="small" justify="space-between" mih={24}>
        <span className="mono" title={source}>
          {path}
        </span>
        {field.value !== initial && (
          <Group>
            <span>
              Default: <bdi>{SHOWN[initial] ?? initial}</bdi>
            </span>
            <TextButton h={24} px={8} aria-label={`Reset ${label}`} onClick={() => onChange(initial)} label="Reset" />
          </Group>
        )}
      </Group>
    </Box>
  );
};

interface SettingsFormProps {
  readonly app: App;
  readonly form: FormState<SettingDraft>;
  readonly onClose: () => void;
}

/** The form of an app: name, strategy and every setting by its group, those that differ from their default first. */
export const SettingsForm = ({ app, form, onClose }: SettingsFormProps) => {
  const [{ sought, chosen }, field] = useTexts({ sought: "", chosen: "" });
  const { draft } = form;
  const changes = changesOf(app, draft);
  const all = SETTING_GROUPS.flatMap(({ settings }) => settings);
  const isOther = ({ path }: Setting): boolean => shownText(app.settings, {}, path) !== defaultText(app.settings, path);
  const isIn = finds(sought.trim());
  const isFound = ({ path, label, description }: Setting): boolean => isIn(`${path}\n${label}\n${description}`);
  const groups = [
    { name: "other", title: "Changed from the default", settings: all.filter(isOther).filter(isFound) },
    ...SETTING_GROUPS.map((group) => ({
      ...group,
      settings: group.settings.filter((one) => (chosen !== "" || !isOther(one)) && isFound(one)),
    })),
  ];
  const found = groups.filter(({ name, settings }) => settings.length > 0 && (chosen === "" || chosen === name));
  return (
    <Form
      of={form}
      label="Settings"
      submit="Save"
      disabled={!form.dirty}
      hint={changes > 0 && <span className="dim">{many(changes, "change")}</span>}
      onClose={onClose}
    >
      <TextInput label="Name" {...form.text("name")} value={draft["name"] ?? app.name} />
      <StrategyField {...form.text("strategy")} value={draft["strategy"] ?? app.strategy} />
      <Group grow>
        <TextInput type="search" aria-label="Search settings" placeholder="Search settings" {...field("sought")} />
        <NativeSelect
          aria-label="Group of settings"
          data={[
            { value: "", label: "All groups" },
            ...groups.map(({ name, title }) => ({ value: name, label: title })),
          ]}
          {...field("chosen")}
        />
      </Group>
      {found.length === 0 && (
        <p className="dim">{sought === "" ? "No setting is changed." : `No setting matches “${sought}”.`}</p>
      )}
      {found.map((group) => (
        <Box key={group.name} pt={24} style={{ borderTop: "1px solid var(--sd-line)" }}>
          <h2>{group.title}</h2>
          {group.settings.map((setting) => (
            <SettingField
              key={setting.path}
              setting={setting}
              field={{
                ...form.text(setting.path, `settings.${setting.path}`),
                value: shownText(app.settings, draft, setting.path),
              }}
              initial={defaultText(app.settings, setting.path)}
              onChange={(text) => form.change({ [setting.path]: text })}
            />
          ))}
        </Box>
      ))}
    </Form>
  );
};
