/**
 * What a screen shows when it has no rows to show.
 */
import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { explain } from "../api/emulator.ts";
import classes from "./states.module.css";

const SKELETON_AFTER_MS = 150;
const LINES = [1, 2, 3, 4, 5];

/** Rows to come; nothing at all for the first moment, which is most often enough. */
export const LoadingRows = () => {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={classes["loading"]} role="status" aria-label="Loading" data-late={late || undefined}>
      {late && LINES.map((line) => <div key={line} className={classes["line"]} />)}
    </div>
  );
};

/** Nothing there yet, or nothing found: what that means, and the next step. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className={classes["empty"]}>
    <h2>{title}</h2>
    {children}
  </div>
);

interface FailedProps {
  /** What could not be read; `This list` if absent. */
  readonly what?: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** What a screen shows could not be read: why, in the server's words. */
export const Failed = ({ what = "This list", error, onRetry }: FailedProps) => (
  <div className={classes["empty"]} role="alert">
    <h2>{what} could not be read</h2>
    <p>{explain(error)}</p>
    <Button onClick={onRetry}>Try again</Button>
  </div>
);
