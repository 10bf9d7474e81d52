import type { Status } from "#contract/status.ts";
import type { App, Profile } from "../../api/records.ts";
import { useAddress } from "../../ui/address.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { askForCode, listProfiles, readCode, signIn, usernameToTry } from "../../ui/commands.ts";
import { LanguageChips } from "./language-chips.tsx";
import { LANGUAGES, languageOf, SNIPPETS } from "./snippets.ts";
import { snippetUrl, targetOf } from "./targets.ts";
import classes from "./try-it.module.css";

const HIDDEN_SECRET = "<secret>";

interface TryItProps {
  readonly status: Status;
  readonly app: App;
  readonly profile: Profile | undefined;
}

/** A login and a backend call, line by line, ready for a terminal of this machine. */
const Curl = ({ status, app, profile }: TryItProps) => {
  const username = usernameToTry(app, profile);
  const known = profile !== undefined;
  const steps: readonly (readonly [title: string, text: string, shown?: string])[] = [
    [
      known ? `Send a code to ${profile.name ?? "a user"}` : "Sign up; the same line again sends a code",
      askForCode(status, app, username),
    ],
    ["Read the code, as a test would", readCode(status, app, username)],
    ["Sign in with it", signIn(status, app, username)],
    ["List the profiles, as your backend would", listProfiles(status, app.secret), listProfiles(status, HIDDEN_SECRET)],
  ];
  return (
    <ol>
      {steps.map(([title, text, shown = text]) => (
        <li key={title}>
          <p className={classes.title}>{title}</p>
          <CodeBlock what={title} text={text} shown={shown} />
        </li>
      ))}
    </ol>
  );
};

/** A login in the language of the client, with the values of this app and of the target. */
export const TryIt = ({ status, app, profile }: TryItProps) => {
  const { address } = useAddress();
  const language = languageOf(address.id);
  const words = LANGUAGES.find(([id]) => id === language)?.[1] ?? "";
  const baseUrl = snippetUrl(targetOf(address.show), status.urls);
  return (
    <section className={classes.try} aria-labelledby="try-it">
      <h2 id="try-it">Try it</h2>
      <LanguageChips />
      {language === null ? (
        <Curl status={status} app={app} profile={profile} />
      ) : (
        <>
          <p className={classes.title}>
            Ask for a code and sign in with it, from {words}; the body has the shape that this app expects.
          </p>
          <CodeBlock
            what={`${words} snippet`}
            text={SNIPPETS[language]({ baseUrl, app, username: usernameToTry(app, profile) })}
          />
        </>
      )}
    </section>
  );
};
