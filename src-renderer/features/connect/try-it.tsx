import { Box } from "@mantine/core";
import type { App, Profile } from "#client/index.ts";
import type { Status } from "#contract/status.ts";
import { useAddress } from "../../ui/address.ts";
import { Chip, Chips } from "../../ui/chips.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { askForCode, listProfiles, readCode, signIn, usernameToTry } from "../../ui/commands.ts";
import { Section } from "../../ui/page.tsx";
import { LANGUAGES, languageOf, SNIPPETS } from "./snippets.ts";
import { snippetUrl, targetOf } from "./targets.ts";

const HIDDEN_SECRET = "<secret>";

interface TryItProps {
  readonly status: Status;
  readonly app: App;
  readonly profile: Profile | undefined;
}

/** A login and a backend call as commands. */
const Curl = ({ status, app, profile }: TryItProps) => {
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

/** A login in the language of the client, with the values of this app and of the target. */
export const TryIt = ({ status, app, profile }: TryItProps) => {
  const { address, hrefWith } = useAddress();
  const language = languageOf(address.id);
  const words = LANGUAGES.find(([id]) => id === language)?.[1] ?? "";
  const baseUrl = snippetUrl(targetOf(address.show), status.urls);
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
            text={SNIPPETS[language]({ baseUrl, app, username: usernameToTry(app, profile) })}
          />
        </>
      )}
    </Section>
  );
};
