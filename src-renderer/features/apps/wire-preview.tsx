import type { App } from "../../api/records.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { type Wire, wireBody } from "../../ui/wire-shape.ts";
import classes from "./wire-preview.module.css";

const USERNAMES = { phone: "+12025550100", email: "ada@example.com" } as const;
const PATH = "/v1/users/session";

/** The bodies that an app's clients send with this mapping, and what they are answered. */
export const WirePreview = ({ app, wire }: { readonly app: Pick<App, "appId" | "strategy">; readonly wire: Wire }) => {
  const username = USERNAMES[app.strategy];
  const bodies = [
    [`POST ${PATH}`, wireBody(wire, app, username), `${wire.signUpStatus} for a new user, 202 for a known one`],
    [`PUT ${PATH}`, wireBody(wire, app, username, "123456"), `${wire.authenticateStatus} with the right code`],
  ] as const;
  return (
    <section className={classes.preview} aria-label="What the clients send">
      {bodies.map(([title, body, answer]) => (
        <div key={title}>
          <p className={classes.title}>
            <span className="mono">{title}</span> answers {answer}
          </p>
          <CodeBlock what={`${title} body`} text={JSON.stringify(body, null, 2)} />
        </div>
      ))}
    </section>
  );
};
