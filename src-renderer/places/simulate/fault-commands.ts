import { useFaults } from "../../api/faults.ts";
import { usePreset, useTurningOff } from "../../shared/fault/fault-actions.ts";
import { PRESETS } from "../../shared/fault/fault-presets.ts";
import type { Command } from "../../ui/palette-store.ts";

const change = (id: string, title: string, run: () => unknown, hint?: string): Command => ({
  id,
  title,
  run,
  hint,
  changes: true,
});

/** What the palette does with faults. */
export const useFaultCommands = (): readonly Command[] => {
  const faults = useFaults();
  const turnOff = useTurningOff();
  const apply = usePreset();
  const off = change("faults:off", "Turn off all faults", () => turnOff.run(faults, true), String(faults.length));
  return [
    ...(faults.length === 0 ? [] : [off]),
    ...PRESETS.map((preset) => change(`fault:${preset.id}`, `Set a fault: ${preset.title}`, () => apply(preset))),
  ];
};
