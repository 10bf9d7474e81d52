import { Button, Menu } from "@mantine/core";
import { Suspense } from "react";
import type { Passcode } from "#client/index.ts";
import { later } from "../../api/later.ts";

const load = async () => (await import("./simulate-items.tsx")).SimulateItems;
const SimulateItems = later("simulate", load);

/** Sets faults for the user or the app of a passcode. */
export const SimulateMenu = ({ passcode }: { readonly passcode: Passcode }) => (
  <Menu>
    <Menu.Target>
      {/* Not in the first view: the presets load when the menu opens. */}
      <Button rightSection="▾" onPointerEnter={load} onFocus={load}>
        Simulate a failure
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      <Suspense>
        <SimulateItems passcode={passcode} />
      </Suspense>
    </Menu.Dropdown>
  </Menu>
);
