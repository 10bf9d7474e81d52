import { emulator } from "../../api/emulator.ts";
import type { OfTarget } from "../../shared/network/targets.ts";
import { ActionButton } from "../../ui/action.tsx";

/** What is done at a click where the tools of the platform are on this machine. */
export const ToolButton = ({ target, isSecure }: Omit<OfTarget, "appId">) => {
  if (target === "android")
    return (
      <ActionButton label="Run adb reverse" act={() => emulator.connect.adbReverse()} says="adb reverse has run" />
    );
  if (target !== "ios" || !isSecure) return null;
  return (
    <ActionButton
      label="Trust the certificate in the simulator"
      act={() => emulator.connect.simulatorTrust()}
      says="The simulator trusts the certificate"
    />
  );
};
