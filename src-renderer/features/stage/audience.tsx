import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { isLoopbackUrl } from "#contract/words/loopback.ts";
import { statusQuery } from "../../api/queries.ts";
import { lanQuery } from "../../shared/network/queries.ts";
import { setLan } from "../../shared/network/set-network.ts";
import { ActionButton, TextButton } from "../../ui/action.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import classes from "./room.module.css";
import { useStage } from "./stage-store.ts";
import { words } from "./words.ts";

/** The QR code for the audience to sign in with their own phones, to the app of this stage. */
export const Audience = ({ appId, close }: { readonly appId: string; readonly close: () => void }) => {
  const { data: lan } = useQuery(lanQuery());
  const { address } = useStage();
  const everywhere = useQuery(statusQuery()).data?.urls.auth;
  const urls = [...(everywhere === undefined || isLoopbackUrl(everywhere) ? [] : [everywhere]), ...(lan?.urls ?? [])];
  const base = urls.find((url) => url === address) ?? urls[0];
  const url = base === undefined ? undefined : `${base}/emulator/demo/?appId=${encodeURIComponent(appId)}`;
  const interfaceOf = (one: string): string => {
    const { hostname } = new URL(one);
    return lan?.addresses.find((known) => hostname === known.address || hostname === `[${known.address}]`)?.name ?? "";
  };
  return (
    <section className={classes["qr"]} aria-label={words().forAudience}>
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
          <p className={`mono ${classes["address"]}`} dir="ltr">
            {url}
          </p>
          {urls.length > 1 && (
            <NativeSelect
              aria-label={words().address}
              value={base}
              data={urls.map((one) => ({ value: one, label: `${new URL(one).host} (${interfaceOf(one)})` }))}
              onChange={({ currentTarget }) => {
                useStage.setState({ address: currentTarget.value });
                currentTarget.blur();
              }}
            />
          )}
          <p>{words().howToTry}</p>
        </>
      )}
      <TextButton keys="Esc" label={words().close} onClick={close} />
    </section>
  );
};
