/** Auth for devices: switches for the local network and https, and the certificate that devices must trust. */
import { Group, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lanQuery, setLan, setTls, tlsQuery } from "../../shared/network/queries.ts";
import { useAction } from "../../ui/action.tsx";
import { CopyButton } from "../../ui/code.tsx";
import { IS_INSTALLED } from "../../ui/host.ts";
import { Facts } from "../../ui/parts.tsx";
import { Section } from "../../ui/screen.tsx";
import { exactWords } from "../../ui/words.ts";

/** Opens auth to the local network until the next start, or closes it. */
export const LanSwitch = () => {
  const { data: lan } = useQuery(lanQuery());
  const { busy, run } = useAction(setLan);
  return (
    <Switch
      label="Allow devices on this network"
      description={`Opens only the auth port; the admin API and this console stay private. Turns off when Stagedoor restarts${IS_INSTALLED ? "" : ", unless you start it with --lan"}.`}
      checked={lan?.open ?? false}
      disabled={lan === undefined || busy}
      onChange={(event) => run(event.currentTarget.checked)}
    />
  );
};

/** https for devices that refuse plain http: the switch and the certificate. */
export const HttpsPart = () => {
  const { data: tls } = useQuery(tlsQuery());
  const { busy, run } = useAction(setTls);
  const ca = tls?.ca ?? null;
  const uncovered = tls?.leaf?.uncovered ?? [];
  return (
    <Section
      title="https"
      words="By default, iOS and Android apps can’t use plain http. For https, trust this certificate authority on the device; it is valid only for private addresses and local names."
    >
      <Switch
        label="Serve auth over HTTPS"
        checked={tls?.on ?? false}
        disabled={tls === undefined || busy}
        onChange={(event) => run(event.currentTarget.checked)}
      />
      {tls?.on === true && ca !== null && (
        <>
          <Facts
            names={120}
            of={{
              Authority: ca.subject,
              "Valid until": exactWords(ca.notAfter),
              "SHA-256": <span className="mono">{ca.fingerprint256}</span>,
              "Valid for": tls.leaf?.names.join(", "),
              "Not covered": uncovered.length > 0 && (
                <span className="warn">{uncovered.join(", ")}: not a private address; use http there.</span>
              ),
            }}
          />
          <Group mt={12}>
            <CopyButton text={ca.pem} what="Certificate" label="Copy certificate" />
          </Group>
        </>
      )}
    </Section>
  );
};
