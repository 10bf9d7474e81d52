import { Button, NativeSelect, Switch, Textarea, TextInput } from "@mantine/core";
import classes from "./setting-field.module.css";
import type { Setting } from "./setting-table.ts";

interface SettingFieldProps {
  readonly setting: Setting;
  readonly text: string;
  readonly error: string | null;
  readonly onChange: (text: string) => void;
}

const Control = ({ setting, text, error, onChange }: SettingFieldProps) => {
  const { path, kind, choices, description, nullable } = setting;
  const common = { label: path, description, error, classNames: { label: "mono" } };
  switch (kind) {
    case "switch":
      return (
        <Switch
          {...common}
          checked={text === "true"}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      );
    case "choice":
      return (
        <NativeSelect
          {...common}
          data={[...choices]}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case "long":
      return <Textarea {...common} rows={3} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
    case "number":
    case "text":
      return (
        <TextInput
          {...common}
          inputMode={kind === "number" ? "numeric" : "text"}
          placeholder={nullable ? "null" : ""}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
};

/** One setting: its name, what it does, its value, and the way back to the default. */
export const SettingField = (props: SettingFieldProps) => {
  const { setting, text, onChange } = props;
  const { path, kind, defaultText } = setting;
  const isDefault = text === defaultText;
  const shown =
    defaultText === "" ? "null" : defaultText === "true" ? "on" : defaultText === "false" ? "off" : defaultText;
  return (
    <div className={classes.field}>
      <Control {...props} />
      <p className={classes.default}>
        <span className={kind === "long" ? classes.long : ""}>
          {isDefault ? "Default" : "Default is"} {!isDefault && <bdi className="mono">{shown}</bdi>}
        </span>
        {!isDefault && (
          <Button className={classes.reset ?? ""} aria-label={`Reset ${path}`} onClick={() => onChange(defaultText)}>
            Reset
          </Button>
        )}
      </p>
    </div>
  );
};
