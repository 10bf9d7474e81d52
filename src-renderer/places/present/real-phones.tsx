/** For real phones while the network is open: the QR code of the phone's app, and their codes. */
import type { Passcode } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { Code } from "../../ui/code.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import classes from "./present.module.css";

/** How many codes are shown. */
const MOST = 3;

/** @param url of the demo app for other machines. @param passcodes active ones of other phones, newest first. */
export const RealPhones = ({ url, passcodes }: { readonly url: string; readonly passcodes: readonly Passcode[] }) => (
  <section className={classes["real"]} aria-label="Real phones">
    <div className={classes["qr"]}>
      <QrCode url={url} />
    </div>
    <div className={classes["how"]}>
      <h2>Try it on a real phone</h2>
      <p>Join the same network and scan the code. Codes appear here.</p>
      <p className={`mono ${classes["wire"]}`} dir="ltr">
        {url}
      </p>
      <ul aria-label="Codes of real phones">
        {passcodes.slice(0, MOST).map(({ id, to, code }) => (
          <li key={id}>
            <bdi>{recipientText(to)}</bdi>{" "}
            <strong>
              <Code code={code} look="live" />
            </strong>
          </li>
        ))}
      </ul>
    </div>
  </section>
);
