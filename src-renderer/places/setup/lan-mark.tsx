import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { statusQuery } from "../../api/queries.ts";

/** Whether auth is open to the local network, and the way to its switch. */
export const LanMark = () => {
  const { data: status } = useQuery(statusQuery());
  const isOpen = (status?.urls.lan.length ?? 0) > 0;
  return (
    <Link className={isOpen ? "warn" : "mantine-visible-from-sm"} href="/setup?show=phone">
      {isOpen ? "LAN open" : "LAN off"}
    </Link>
  );
};
