/** The mark of Codes in the rail: an app has failed for the first time, until Codes or the log is shown. */
import { useEffect } from "react";
import { useFirstFailure } from "../api/first-failure.ts";
import { useAddress } from "../ui/address.ts";
import classes from "./shell.module.css";

/** @see the file */
export const FailureMark = () => {
  const { screen } = useAddress().address;
  const requestId = useFirstFailure((state) => state.requestId);
  const isSeen = screen === "codes" || screen === "requests";
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
