import { Button, Menu } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { Passcode } from "#client/index.ts";

const load = async () => ({ default: (await import("./simulate-items.tsx")).SimulateItems });
const SimulateItems = lazy(load);

/** Sets a fault for the user of a code, or for its app, in one click. */
export const SimulateMenu = ({ passcode, appName }: { readonly passcode: Passcode; readonly appName: string }) => (
  <Menu>
    <Menu.Target>
      {/* Beside the first view, which does not hold the presets: they are there when the menu opens. */}
      <Button rightSection="▾" onPointerEnter={load} onFocus={load}>
        Simulate on next attempt
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      <Suspense>
        <SimulateItems passcode={passcode} appName={appName} />
      </Suspense>
    </Menu.Dropdown>
  </Menu>
);
