import { Box, Group, NativeSelect, Switch, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { App } from "#client/index.ts";
import { type Wire, wireBody } from "#contract/wire-body.ts";
import { many } from "#contract/words.ts";
import { updateApp } from "../../api/actions.ts";
import { announce, TextButton, textField } from "../../ui/action.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { type Field, Form, type FormState, keepDrafts, useForm } from "../../ui/form.tsx";
import { DetailPart } from "../../ui/screen.tsx";
import { ColorField, LogoField } from "./brand-fields.tsx";
import {
  changedPaths,
  type Draft,
  draftWire,
  SETTING_GROUPS,
  type Setting,
  settingsChange,
  shownText,
} from "./setting-table.ts";

const drafts = keepDrafts<Draft>();
const USERNAMES = { phone: "+12025550100", email: "ada@example.com" } as const;
const PATH = "/v1/users/session";

/** The strategies as choices of a field. */
export const STRATEGIES = ["phone", "email"] as const;
const strategyOf = (text: string): App["strategy"] => (text === "email" ? "email" : "phone");

/** @returns the form state for an app's name, strategy and settings. */
export const useSettingsForm = (app: App): FormState<Draft> => {
  const own = { name: app.name, strategy: app.strategy };
  return useForm<Draft, App>({
    drafts,
    id: app.appId,
    first: {},
    same: (_, draft) => changesOf(app, draft) === 0,
    save: ({ name = own.name, strategy = own.strategy, ...settings }) =>
      updateApp(app.appId, {
        ...(name === own.name ? {} : { name }),
        ...(strategy === own.strategy ? {} : { strategy: strategyOf(strategy) }),
        settings: settingsChange(app.settings, settings),
      }),
    onSaved: () => announce("Saved"),
  });
};

const changesOf = (app: App, { name = app.name, strategy = app.strategy, ...settings }: Draft): number =>
  Number(name !== app.name) + Number(strategy !== app.strategy) + changedPaths(app.settings, settings).length;

interface ControlProps {
  readonly setting: Setting;
  readonly field: Field;
  readonly onChange: (text: string) => void;
}

const Control = ({ setting, field, onChange }: ControlProps) => {
  const { label, kind, choices, description, nullable } = setting;
  const common = { ...field, label, description };
  switch (kind) {
    case "switch":
      return (
        <Switch
          label={label}
          description={description}
          error={field.error}
          checked={field.value === "true"}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      );
    case "choice":
      return <NativeSelect {...common} data={[...choices]} />;
    case "long":
      return <Textarea {...common} rows={3} />;
    case "json":
      return <Textarea {...common} rows={3} autosize maxRows={12} classNames={{ input: "mono" }} />;
    case "color":
      return <ColorField common={common} onChange={onChange} />;
    case "picture":
      return <LogoField common={common} onChange={onChange} />;
    case "list":
    case "number":
    case "text":
      return (
        <TextInput
          {...common}
          inputMode={kind === "number" ? "numeric" : "text"}
          placeholder={kind === "list" ? "none" : nullable ? "not set" : ""}
        />
      );
  }
};

const SHOWN: Readonly<Record<string, string>> = { "": "not set", true: "on", false: "off" };

const SettingField = ({ setting, field, onChange }: ControlProps) => {
  const { path, label, source, defaultText } = setting;
  return (
    <Box py={8}>
      <Control setting={setting} field={field} onChange={onChange} />
      <Group className="small" justify="space-between" mih={24}>
        <span className="mono" title={source}>
          {path}
        </span>
        {field.value !== defaultText && (
          <Group>
            <span>
              Default: <bdi>{SHOWN[defaultText] ?? defaultText}</bdi>
            </span>
            <TextButton
              h={24}
              px={8}
              aria-label={`Reset ${label}`}
              onClick={() => onChange(defaultText)}
              label="Reset"
            />
          </Group>
        )}
      </Group>
    </Box>
  );
};

const WirePreview = ({ app, wire }: { readonly app: Pick<App, "appId" | "strategy">; readonly wire: Wire }) => {
  const username = USERNAMES[app.strategy];
  const bodies = [
    [`POST ${PATH}`, wireBody(wire, app, username), `${wire.signUpStatus} for a new user, 202 for an existing one`],
    [`PUT ${PATH}`, wireBody(wire, app, username, "123456"), `${wire.authenticateStatus} if the code is right`],
  ] as const;
  return (
    <section aria-label="What clients send">
      {bodies.map(([title, body, answer]) => (
        <div key={title}>
          <p className="small">
            <span className="mono">{title}</span> returns {answer}
          </p>
          <CodeBlock what={`${title} body`} text={JSON.stringify(body, null, 2)} />
        </div>
      ))}
    </section>
  );
};

const holds = ({ path, label, description }: Setting, sought: string): boolean =>
  `${path}\n${label}\n${description}`.toLowerCase().includes(sought);

interface SettingsFormProps {
  readonly app: App;
  readonly form: FormState<Draft>;
  readonly onClose: () => void;
}

/** The form of an app: name, strategy and every setting, those that differ from their default first. */
export const SettingsForm = ({ app, form, onClose }: SettingsFormProps) => {
  const [sought, setSought] = useState("");
  const { draft } = form;
  const changes = changesOf(app, draft);
  const all = SETTING_GROUPS.flatMap(({ settings }) => settings);
  const isOther = ({ path, defaultText }: Setting): boolean => shownText(app.settings, {}, path) !== defaultText;
  const groups = [
    { name: "other", title: "Changed from the default", settings: all.filter(isOther) },
    ...SETTING_GROUPS.map((group) => ({ ...group, settings: group.settings.filter((one) => !isOther(one)) })),
  ];
  const found = groups
    .map((group) => ({ ...group, settings: group.settings.filter((one) => holds(one, sought.trim().toLowerCase())) }))
    .filter(({ settings }) => settings.length > 0);
  const mapped = found.find(({ settings }) => settings.some(({ path }) => path.startsWith("wire.")));
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
      <NativeSelect
        label="Strategy"
        description="The field that users sign in with."
        data={[...STRATEGIES]}
        {...form.text("strategy")}
        value={draft["strategy"] ?? app.strategy}
      />
      <TextInput
        type="search"
        aria-label="Search settings"
        placeholder="Search settings"
        {...textField(sought, setSought)}
      />
      {found.length === 0 && <p className="dim">No setting matches “{sought}”.</p>}
      {found.map((group) => (
        <DetailPart key={group.name} title={group.title}>
          {group.settings.map((setting) => (
            <SettingField
              key={setting.path}
              setting={setting}
              field={{
                ...form.text(setting.path, `settings.${setting.path}`),
                value: shownText(app.settings, draft, setting.path),
              }}
              onChange={(text) => form.change({ [setting.path]: text })}
            />
          ))}
          {group === mapped && (
            <WirePreview
              app={{ appId: app.appId, strategy: strategyOf(draft["strategy"] ?? app.strategy) }}
              wire={draftWire(app.settings, draft)}
            />
          )}
        </DetailPart>
      ))}
    </Form>
  );
};
