import { UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { statusQuery } from "../../api/queries.ts";
import { complain } from "../../ui/action.tsx";

/** Whether auth is open to the local network; a click says more. */
export const LanMark = () => {
  const { data: status } = useQuery(statusQuery());
  const isOpen = (status?.urls.lan.length ?? 0) > 0;
  const openLan = (): void => void import("./network-switches.tsx").then((it) => it.openLanDialog(), complain);
  return (
    <UnstyledButton className={isOpen ? "warn" : "mantine-visible-from-sm"} onClick={openLan}>
      {isOpen ? "LAN open" : "LAN off"}
    </UnstyledButton>
  );
};
