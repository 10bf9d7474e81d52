/** The mark of the inbox in the rail. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useFirstFailure } from "../api/first-failure.ts";
import { passcodeList } from "../api/queries.ts";
import { useEndedOtherwise } from "../shared/login/newest-login.ts";
import { useAddress } from "../ui/address.ts";
import classes from "./shell.module.css";

/** The refused login that this tab has shown. */
const SHOWN = "stagedoor-shown-failure";

/** @returns the newest login if it was refused; undefined until that is known. */
const useRefusedLogin = (): string | null | undefined => {
  const codes = useQuery(passcodeList.query(useAddress().address.app));
  const { isPending, row } = useEndedOtherwise(codes.data?.items[0]);
  if (codes.isPending || isPending) return undefined;
  return row !== undefined && row.status >= 400 ? row.id : null;
};

/** Marks the inbox if an app has failed for the first time, also before the page was opened, until the inbox or the log is shown. */
export const FailureMark = () => {
  const { screen } = useAddress().address;
  const requestId = useFirstFailure((state) => state.requestId);
  const refused = useRefusedLogin();
  const isFirst = useRef(true);
  const isSeen = screen === "codes" || screen === "requests";
  useEffect(() => {
    if (refused === undefined) return;
    // Later ones are told by the event.
    const isEarlier = isFirst.current && refused !== null && sessionStorage.getItem(SHOWN) !== refused;
    isFirst.current = false;
    if (isSeen && refused !== null) sessionStorage.setItem(SHOWN, refused);
    else if (isEarlier) useFirstFailure.setState({ requestId: refused });
  }, [refused, isSeen]);
  useEffect(() => {
    if (isSeen && requestId !== null) useFirstFailure.setState({ requestId: null });
  }, [isSeen, requestId]);
  if (isSeen || requestId === null) return null;
  return (
    <>
      <span className={classes["failed"]} aria-hidden="true">
        !
      </span>
      <span className="spoken">, a request failed</span>
    </>
  );
};
