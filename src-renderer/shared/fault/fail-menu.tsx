import { Button, Menu } from "@mantine/core";
import { Suspense } from "react";
import type { Passcode } from "#client/index.ts";
import { later } from "../../api/later.ts";

const load = async () => (await import("./fail-items.tsx")).FailItems;
const FailItems = later("fail-items", load);

interface FailMenuProps {
  readonly passcode: Passcode;
  readonly onMenu: (isOpen: boolean) => void;
}

/** Sets faults for the user or the app of a passcode. */
export const FailMenu = ({ passcode, onMenu }: FailMenuProps) => (
  <Menu onChange={onMenu}>
    <Menu.Target>
      {/* Not in the first view: the presets load when the menu opens. */}
      <Button rightSection="▾" onPointerEnter={load} onFocus={load}>
        Fail…
      </Button>
    </Menu.Target>
    <Menu.Dropdown w={374}>
      <Suspense>
        <FailItems passcode={passcode} />
      </Suspense>
    </Menu.Dropdown>
  </Menu>
);
