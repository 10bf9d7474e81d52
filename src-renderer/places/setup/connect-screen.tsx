import { Box, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { App, Profile } from "#client/index.ts";
import type { Status } from "#contract/control/status.ts";
import { profileSearchQuery, statusQuery, useApps } from "../../api/queries.ts";
import { useTlsUrls } from "../../shared/network/queries.ts";
import { baseUrls, type Secure, secureOf, snippetUrl, targetOf } from "../../shared/network/targets.ts";
import { useAddress } from "../../ui/address.ts";
import { CodeBlock, CopyButton, Secret } from "../../ui/code.tsx";
import { Lines } from "../../ui/parts.tsx";
import { DetailPart, Loaded, Page, Screen, Section, SidePanel } from "../../ui/screen.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { askForCode, listProfiles, readCode, signIn, usernameToTry } from "../../ui/wire-shape.ts";
import { AutofillPart } from "./autofill-part.tsx";
import { HttpsPart } from "./network-switches.tsx";
import { Platforms } from "./platforms.tsx";
import { LANGUAGES, languageOf, snippetIn } from "./snippets.ts";
import { TargetPart } from "./target-part.tsx";

const HIDDEN_SECRET = "<secret>";

interface TryItProps {
  readonly status: Status;
  readonly app: App;
  readonly secure: Secure | undefined;
}

interface CurlProps extends Omit<TryItProps, "secure"> {
  readonly profile: Profile | undefined;
}

const Curl = ({ status, app, profile }: CurlProps) => {
  const username = usernameToTry(app, profile);
  const known = profile !== undefined;
  const steps: readonly (readonly [title: string, text: string, shown?: string])[] = [
    [
      known ? `Send a code to ${profile.name ?? "a user"}` : "Sign up; run it again to send a code",
      askForCode(status, app, username),
    ],
    ["Read the code in a test", readCode(status, app, username)],
    ["Sign in", signIn(status, app, username)],
    ["List the profiles from your backend", listProfiles(status, app.secret), listProfiles(status, HIDDEN_SECRET)],
  ];
  return (
    <ol>
      {steps.map(([title, text, shown = text]) => (
        <Box component="li" key={title} mt={16}>
          <p className="dim">{title}</p>
          <CodeBlock what={title} text={text} shown={shown} />
        </Box>
      ))}
    </ol>
  );
};

const TryIt = ({ status, app, secure }: TryItProps) => {
  const { data: found } = useQuery(profileSearchQuery(app.appId, "", 1));
  const { address, hrefWith } = useAddress();
  const [language, words] = languageOf(address.id);
  const baseUrl = snippetUrl(targetOf(address.show), status.urls, secure);
  if (found === undefined) return null;
  const [profile] = found.items;
  return (
    <Section title="Try it">
      <Tabs
        isAlone
        label="Languages"
        of={LANGUAGES.map(([id, word]) => ({ word, href: hrefWith({ id }), chosen: id === language }))}
      />
      {language === null ? (
        <Curl status={status} app={app} profile={profile} />
      ) : (
        <>
          <p className="dim">Request a code and sign in from {words}. The body has the format that this app expects.</p>
          <CodeBlock
            what={`${words} snippet`}
            text={snippetIn(language, { baseUrl, app, username: usernameToTry(app, profile) })}
          />
        </>
      )}
    </Section>
  );
};

interface AppPanelProps {
  readonly urls: Status["urls"];
  readonly app: App;
}

/** What the app, its backend and its tests need to know. */
const AppPanel = ({ urls, app }: AppPanelProps) => {
  const of = `?appId=${encodeURIComponent(app.appId)}`;
  const addresses = [
    ["Auth URL", urls.auth],
    ["Admin URL", urls.admin],
    ["Console URL", urls.console],
    ["JWKS", `${urls.auth}/.well-known/jwks.json`],
    ["OpenAPI of sessions", `${urls.console}/openapi/auth.json${of}`],
    ["OpenAPI of profiles", `${urls.console}/openapi/admin.json${of}`],
    ["OpenAPI of Stagedoor", `${urls.console}/openapi/emulator.json`],
  ] as const;
  return (
    <SidePanel title={app.name} words={`Signs in by ${app.strategy}`}>
      <Lines columns="56px minmax(0, 1fr)">
        <li>
          <span className="dim">App id</span>
          <Group justify="space-between" wrap="nowrap">
            <span className="mono cut">{app.appId}</span>
            <CopyButton text={app.appId} what="App id" />
          </Group>
        </li>
        <li>
          <span className="dim">Secret</span>
          <Secret secret={app.secret} />
        </li>
      </Lines>
      <DetailPart title="Addresses">
        <Lines label="Addresses" columns="minmax(0, 1fr) auto">
          {addresses.map(([name, url]) => (
            <li key={name}>
              <div>
                <p className="small">{name}</p>
                {name.startsWith("OpenAPI") ? (
                  <a className="mono link" href={url} target="_blank" rel="noreferrer">
                    {url}
                  </a>
                ) : (
                  <span className="mono">{url}</span>
                )}
              </div>
              <CopyButton text={url} what={name} />
            </li>
          ))}
        </Lines>
      </DetailPart>
    </SidePanel>
  );
};

const JOIN_TOKEN =
  "A join token is set: with it, each job creates its own leased app and gets a token bound to that app.";
const NO_JOIN_TOKEN =
  "No join token is set. To let CI jobs create leased apps here, set STAGEDOOR_CONSOLE_HOST and STAGEDOOR_JOIN_TOKEN, then restart.";

/** Whether jobs can create leased apps here, and how. */
const JoinPart = ({ status }: { readonly status: Status }) => (
  <Section title="Shared with CI jobs">
    <p className="dim">{status.joinToken ? JOIN_TOKEN : NO_JOIN_TOKEN}</p>
  </Section>
);

/** What an app, its backend and a test need to reach Stagedoor. */
export const ConnectScreen = () => {
  const { address } = useAddress();
  const target = targetOf(address.show);
  const status = useQuery(statusQuery());
  const { list, apps, appOf } = useApps();
  const app = appOf(address.app) ?? apps[0];
  const tls = useTlsUrls();
  return (
    <Screen
      title="Connect"
      note={status.data && `Stagedoor ${status.data.version}`}
      detail={status.data && app && <AppPanel urls={status.data.urls} app={app} />}
    >
      <Loaded of={status}>
        {(shown) => (
          <Loaded of={list}>
            {() => {
              const secure = secureOf(shown, tls);
              const hosts = new Set(baseUrls(target, shown.urls).map(({ url }) => new URL(url).hostname));
              return (
                <Page>
                  <TargetPart urls={shown.urls} secure={secure} appId={app?.appId ?? ""} />
                  {app && <TryIt status={shown} app={app} secure={secure} />}
                  <HttpsPart />
                  <Platforms target={target} hosts={[...hosts]} isSecure={secure !== undefined} />
                  {app && target !== "ios" && <AutofillPart key={`autofill ${app.appId}`} app={app} />}
                  <JoinPart status={shown} />
                </Page>
              );
            }}
          </Loaded>
        )}
      </Loaded>
    </Screen>
  );
};
