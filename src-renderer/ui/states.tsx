/**
 * What a screen shows when it has no rows to show.
 */
import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { explain } from "../api/emulator.ts";
import classes from "./screen.module.css";

const SKELETON_AFTER_MS = 150;

/** Rows to come; nothing at all for the first moment, which is most often enough. */
export const LoadingRows = () => {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return <div className={classes["loading"]} role="status" aria-label="Loading" data-late={late || undefined} />;
};

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly role?: "alert";
}

/** Nothing there yet, or nothing found: what that means, and the next step. */
export const Empty = ({ title, children, role }: EmptyProps) => (
  <div className={classes["empty"]} role={role}>
    <h2>{title}</h2>
    {children}
  </div>
);

/** What went wrong, in the server's words; nothing if nothing did. */
export const Wrong = ({ error }: { readonly error: unknown }) =>
  (error ?? null) !== null && (
    <p role="alert" className="bad">
      {typeof error === "string" ? error : explain(error)}
    </p>
  );

interface LoadedProps<T> {
  readonly of: { readonly data: T | undefined; readonly error: unknown; readonly refetch: () => unknown };
  /** What is read; `This list` if absent. */
  readonly what?: string;
  readonly children: (data: T) => ReactNode;
}

/** What was read, which outlives a later reading that failed; until then rows to come, or why there are none. */
export const Loaded = <T,>({ of: { data, error, refetch }, what = "This list", children }: LoadedProps<T>) => {
  if (data !== undefined) return children(data);
  if (error === null) return <LoadingRows />;
  return (
    <Empty role="alert" title={`${what} could not be read`}>
      <p>{explain(error)}</p>
      <Button onClick={() => refetch()}>Try again</Button>
    </Empty>
  );
};
