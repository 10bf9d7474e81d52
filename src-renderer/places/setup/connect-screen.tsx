import { Box, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { App, Profile } from "#client/index.ts";
import type { Status } from "#contract/control/status.ts";
import { profileSearchQuery, statusQuery, useApps } from "../../api/queries.ts";
import { useTlsUrls } from "../../shared/network/queries.ts";
import { baseUrls, type Secure, secureOf, snippetUrl, targetOf } from "../../shared/network/targets.ts";
import { useAddress } from "../../ui/address.ts";
import { CodeBlock, CopyButton, Secret } from "../../ui/code.tsx";
import { Chip, Chips, Lines } from "../../ui/parts.tsx";
import { Loaded, Page, Screen, Section } from "../../ui/screen.tsx";
import { askForCode, listProfiles, readCode, signIn, usernameToTry } from "../../ui/wire-shape.ts";
import { AutofillPart } from "./autofill-part.tsx";
import { JoinPart } from "./join-part.tsx";
import { HttpsPart } from "./network-switches.tsx";
import { Platforms } from "./platforms.tsx";
import { LANGUAGES, languageOf, snippetIn } from "./snippets.ts";
import { TargetPart } from "./target-part.tsx";

const HIDDEN_SECRET = "<secret>";

interface TryItProps {
  readonly status: Status;
  readonly app: App;
  readonly profile: Profile | undefined;
  readonly secure: Secure | undefined;
}

const Curl = ({ status, app, profile }: Omit<TryItProps, "secure">) => {
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

const TryIt = ({ status, app, profile, secure }: TryItProps) => {
  const { address, hrefWith } = useAddress();
  const [language, words] = languageOf(address.id);
  const baseUrl = snippetUrl(targetOf(address.show), status.urls, secure);
  return (
    <Section title="Try it">
      <Chips label="Languages">
        {LANGUAGES.map(([id, name]) => (
          <Chip key={name} href={hrefWith({ id })} chosen={id === language}>
            {name}
          </Chip>
        ))}
      </Chips>
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

type UrlRow = readonly [name: string, url: string, use: string];

const UrlRows = ({ title, rows, isLink = false }: { title: string; rows: readonly UrlRow[]; isLink?: boolean }) => (
  <Section title={title}>
    <Lines columns="128px minmax(0, 1fr) auto" narrow="minmax(0, 1fr) auto">
      {rows.map(([name, url, use]) => (
        <li key={url}>
          <span className="dim" data-whole="narrow">
            {name}
          </span>
          <div>
            {isLink ? (
              <a className="mono link" href={url} target="_blank" rel="noreferrer">
                {url}
              </a>
            ) : (
              <span className="mono">{url}</span>
            )}
            <p className="small">{use}</p>
          </div>
          <CopyButton text={url} what={name} />
        </li>
      ))}
    </Lines>
  </Section>
);

const Urls = ({ urls, app }: Pick<Status, "urls"> & { readonly app: App | undefined }) => {
  const of = app === undefined ? "" : `?appId=${encodeURIComponent(app.appId)}`;
  return (
    <>
      <UrlRows
        title="All URLs"
        rows={[
          ["Auth URL", urls.auth, "For your app: sign up, request a code, sign in"],
          ["Admin URL", urls.admin, "For your backend: profiles, with the app secret"],
          ["Console URL", urls.console, "For you and your tests: this page and the control API"],
        ]}
      />
      <UrlRows
        title="OpenAPI"
        isLink
        rows={[
          [
            "Sessions",
            `${urls.console}/openapi/auth.json${of}`,
            "The endpoints your app calls, with this app’s settings applied",
          ],
          [
            "Profiles",
            `${urls.console}/openapi/admin.json${of}`,
            "The endpoints your backend calls, with this app’s settings applied",
          ],
          ["Emulator", `${urls.console}/openapi/emulator.json`, "The control API, discovery and events"],
        ]}
      />
    </>
  );
};

const AppPart = ({ status, app, secure }: Omit<TryItProps, "profile">) => {
  const { data: found } = useQuery(profileSearchQuery(app.appId, "", 1));
  return (
    <>
      <Section
        title={
          <>
            <bdi>{app.name}</bdi> <span className="dim">signs in by {app.strategy}</span>
          </>
        }
      >
        <Lines columns="128px minmax(0, 1fr)" narrow="56px minmax(0, 1fr)">
          <li>
            <span className="dim">App id</span>
            <Group justify="space-between">
              <span className="mono">{app.appId}</span>
              <CopyButton text={app.appId} what="App id" />
            </Group>
          </li>
          <li>
            <span className="dim">Secret</span>
            <Secret secret={app.secret} />
          </li>
        </Lines>
      </Section>
      {found && <TryIt status={status} app={app} profile={found.items[0]} secure={secure} />}
    </>
  );
};

/** What an app, its backend and a test need to reach Stagedoor. */
export const ConnectScreen = () => {
  const { address } = useAddress();
  const target = targetOf(address.show);
  const status = useQuery(statusQuery());
  const { list, appOf } = useApps();
  const tls = useTlsUrls();
  return (
    <Screen wide title="Connect" note={status.data && `Stagedoor ${status.data.version}`}>
      <Loaded of={status}>
        {(shown) => (
          <Loaded of={list}>
            {({ items: [first] }) => {
              const app = appOf(address.app) ?? first;
              const secure = secureOf(shown, tls);
              const hosts = new Set(baseUrls(target, shown.urls).map(({ url }) => new URL(url).hostname));
              return (
                <Page>
                  <TargetPart urls={shown.urls} secure={secure} appId={app?.appId ?? ""} />
                  {app && <AppPart key={app.appId} status={shown} app={app} secure={secure} />}
                  <HttpsPart />
                  <Platforms target={target} hosts={[...hosts]} isSecure={secure !== undefined} />
                  {app && target !== "ios" && <AutofillPart key={`autofill ${app.appId}`} app={app} />}
                  <Urls urls={shown.urls} app={app} />
                  <JoinPart />
                </Page>
              );
            }}
          </Loaded>
        )}
      </Loaded>
    </Screen>
  );
};
