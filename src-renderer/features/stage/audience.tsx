import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { setLan } from "../../api/actions.ts";
import { lanQuery } from "../../api/queries.ts";
import { ActionButton, TextButton } from "../../ui/action.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import classes from "./stage.module.css";

/** The QR code for the audience to sign in with their own phones, to the app of this stage. */
export const Audience = ({ appId, close }: { readonly appId: string; readonly close: () => void }) => {
  const { data: lan } = useQuery(lanQuery());
  const [base] = lan?.urls ?? [];
  const url = base === undefined ? undefined : `${base}/emulator/demo/?appId=${encodeURIComponent(appId)}`;
  return (
    <Stack
      component="section"
      className={classes["audience"]}
      justify="center"
      align="flex-start"
      gap="calc(2 * var(--u))"
      c="dimmed"
      fz="calc(2.6 * var(--u))"
      aria-label="For the audience"
    >
      {url === undefined ? (
        <>
          <h2>Open to phones on this network?</h2>
          <p>
            Phones reach the sign-in page only while the local network is on. Everything else stays on this machine.
          </p>
          <ActionButton variant="filled" label="Open network" act={() => setLan(true)} />
        </>
      ) : (
        <>
          <h2>Try it on your phone</h2>
          <QrCode url={url} />
          <p className="mono" dir="ltr">
            {url}
          </p>
          <p>Same Wi-Fi, no app, no account. Your code appears here.</p>
        </>
      )}
      <TextButton keys="Esc" label="Close" onClick={close} />
    </Stack>
  );
};
