import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { setLan } from "../../api/actions.ts";
import { lanQuery } from "../../api/queries.ts";
import { ActionButton, TextButton } from "../../ui/action.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import classes from "./stage.module.css";
import { words } from "./words.ts";

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
      aria-label={words().forAudience}
    >
      {url === undefined ? (
        <>
          <h2>{words().askToOpen}</h2>
          <p>{words().whatOpens}</p>
          <ActionButton variant="filled" label={words().openNetwork} act={() => setLan(true)} />
        </>
      ) : (
        <>
          <h2>{words().tryIt}</h2>
          <QrCode url={url} />
          <p className="mono" dir="ltr">
            {url}
          </p>
          <p>{words().howToTry}</p>
        </>
      )}
      <TextButton keys="Esc" label={words().close} onClick={close} />
    </Stack>
  );
};
