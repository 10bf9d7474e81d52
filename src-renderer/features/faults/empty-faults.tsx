import { Button, Kbd } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { statusQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Empty } from "../../ui/states.tsx";
import { faultCurl } from "./fault-curl.ts";
import { PRESETS } from "./fault-presets.ts";
import classes from "./faults.module.css";

interface EmptyFaultsProps {
  /** Whether one is being set, beside it. */
  readonly creating: boolean;
  readonly children?: ReactNode;
}

/** No fault is set, of those that are looked at: what one is for, and how to set the first. */
export const EmptyFaults = ({ creating, children }: EmptyFaultsProps) => {
  const { hrefWith } = useAddress();
  const { data: status } = useQuery(statusQuery());
  const example = PRESETS.find(({ id }) => id === "recover")?.fault;
  return (
    <Empty title="No faults are set">
      <p>
        A fault lets auth or admin go wrong on purpose, so that you see what your app then does. It is there until it is
        turned off, or Stagedoor stops.
      </p>
      {children}
      {!creating && (
        <>
          <ul className={classes.choices} aria-label="Presets">
            {PRESETS.map(({ id, title, words }) => (
              <li key={id}>
                <Link href={hrefWith({ id: "new", show: id })} className={classes.choice}>
                  <span className={classes.title}>{title}</span>
                  <span className={classes.small}>{words}</span>
                </Link>
              </li>
            ))}
          </ul>
          <Button
            component={Link}
            variant="filled"
            href={hrefWith({ id: "new", show: null })}
            rightSection={<Kbd className={classes.key ?? ""}>n</Kbd>}
          >
            Set one of your own
          </Button>
        </>
      )}
      <p>From a terminal or a test: three requests fail, the fourth works.</p>
      {status && example && <CodeBlock what="Command" text={faultCurl(status.urls.console, example)} />}
    </Empty>
  );
};
