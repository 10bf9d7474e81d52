import { useFaults } from "../../api/faults.ts";
import { usePreset, useTurningOff } from "../../shared/fault/fault-actions.ts";
import { PRESETS } from "../../shared/fault/fault-presets.ts";
import type { Command } from "../../ui/palette-store.ts";

/** What the palette does with faults. */
export const useFaultCommands = (): readonly Command[] => {
  const faults = useFaults();
  const turnOff = useTurningOff();
  const apply = usePreset();
  const off: Command = { id: "faults:off", title: "Turn off all faults", run: () => turnOff.run(faults, true) };
  return [
    ...(faults.length === 0 ? [] : [off]),
    ...PRESETS.map((preset) => ({
      id: `fault:${preset.id}`,
      title: `Set a fault: ${preset.title}`,
      run: () => apply(preset),
    })),
  ];
};
