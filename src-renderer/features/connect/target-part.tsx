import { Button } from "@mantine/core";
import { useState } from "react";
import type { Status } from "#contract/status.ts";
import { useAddress } from "../../ui/address.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FilterChips } from "../../ui/filter-chips.tsx";
import { QrCode } from "./qr-code.tsx";
import { ReachCheck } from "./reach-check.tsx";
import classes from "./target-part.module.css";
import { baseUrls, TARGETS, targetOf } from "./targets.ts";

/** The LAN is closed: how to open it. */
const LanClosed = () => (
  <div className={classes.closed}>
    <p>
      The LAN is closed: only this machine reaches Stagedoor. To let a phone on the same Wi-Fi in, stop it and start it
      so. The auth interface alone is opened; profiles and this page stay on this machine.
    </p>
    <CodeBlock what="Command" text="npm start -- --lan" />
    <p>
      Installed, it is <code className="mono">stagedoor start --lan</code>. An Android phone on a USB cable needs no
      LAN: see Android emulator, adb reverse.
    </p>
  </div>
);

/** The URLs of the LAN with the QR code of one of them: a machine may have several addresses, and the phone sees one. */
const LanUrls = ({ lan }: { readonly lan: readonly string[] }) => {
  const [chosen, setChosen] = useState(lan[0] ?? "");
  const url = lan.includes(chosen) ? chosen : (lan[0] ?? "");
  return (
    <div className={classes.lan}>
      <QrCode url={url} />
      <div>
        <p className={classes.use}>
          Scan it with the camera of the phone. Its browser shows a short refusal in JSON, and the line below says that
          it came through.
        </p>
        {lan.length > 1 && (
          <>
            <p className={classes.use}>This machine has several addresses; the phone reaches one of them.</p>
            <div className={classes.choices}>
              {lan.map((one) => (
                <Button
                  key={one}
                  className="mono"
                  size="xs"
                  aria-pressed={one === url}
                  data-chosen={one === url || undefined}
                  onClick={() => setChosen(one)}
                >
                  {new URL(one).hostname}
                </Button>
              ))}
            </div>
          </>
        )}
      </div>
    </div>
  );
};

/** The base URLs that fit where the client runs, and whether one has come through. */
export const TargetPart = ({ urls }: Pick<Status, "urls">) => {
  const { address } = useAddress();
  const target = targetOf(address.show);
  return (
    <section aria-labelledby="target">
      <h2 id="target" className={classes.heading}>
        Where does your app run?
      </h2>
      <FilterChips label="Where your app runs" choices={TARGETS} keepId />
      <ul className={classes.urls}>
        {baseUrls(target, urls).map(({ url, use, before }) => (
          <li key={url}>
            <span className={`mono ${classes.url}`}>{url}</span>
            <span className={classes.use}>{use}</span>
            <CopyButton text={url} what={`Base URL ${url}`} />
            {before !== undefined && (
              <div className={classes.before}>
                <CodeBlock what="adb command" text={before} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {target === "phone" && (urls.lan.length === 0 ? <LanClosed /> : <LanUrls lan={urls.lan} />)}
      <ReachCheck />
    </section>
  );
};
