import { Button } from "@mantine/core";
import { useState } from "react";
import type { App } from "../../api/records.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import classes from "./app-keys.module.css";

const MASK = "••••••••••••";

/** An app's id, and its secret when it is asked for. */
export const AppKeys = ({ app }: { readonly app: App }) => {
  const [shown, setShown] = useState(false);
  return (
    <section className={classes.keys} aria-labelledby="app-keys">
      <h2 id="app-keys">
        <bdi>{app.name}</bdi>
        <span className={classes.strategy}>signs in by {app.strategy}</span>
      </h2>
      <div className={classes.pair}>
        <span className={classes.name}>App id</span>
        <span className="mono">{app.appId}</span>
        <CopyButton text={app.appId} what="App id" />
      </div>
      <div className={classes.pair}>
        <span className={classes.name}>Secret</span>
        <span className="mono" data-testid="secret">
          {shown ? app.secret : MASK}
        </span>
        <span className={classes.buttons}>
          <Button onClick={() => setShown(!shown)} aria-pressed={shown}>
            {shown ? "Hide" : "Show"}
          </Button>
          <CopyButton text={app.secret} what="Secret" />
        </span>
      </div>
    </section>
  );
};
