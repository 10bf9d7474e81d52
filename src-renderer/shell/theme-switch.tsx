import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from "@mantine/core";
import classes from "./theme-switch.module.css";

/** The looks, with their words. */
export const SCHEMES: readonly { readonly value: MantineColorScheme; readonly label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
];

/** Light, dark, or as the system has it; remembered. */
export const ThemeSwitch = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      className={classes.theme ?? ""}
      aria-label="Theme"
      size="xs"
      fullWidth
      withItemsBorders={false}
      data={[...SCHEMES]}
      value={colorScheme}
      onChange={setColorScheme}
    />
  );
};
