import { Link } from "wouter";
import type { App } from "../../api/records.ts";
import type { RowFocus } from "../../ui/record-list.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import rows from "../../ui/row.module.css";
import classes from "./app-row.module.css";

interface AppRowProps {
  readonly app: App;
  readonly href: string;
  readonly selected: boolean;
  readonly focus: RowFocus;
}

const many = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${count} ${one}s`);

/** How many settings an app has that are not the defaults. */
const setWords = (app: App): string => {
  const count = Object.values(app.settings)
    .map((value) => (typeof value === "object" ? Object.keys(value).length : 1))
    .reduce((sum, one) => sum + one, 0);
  return count === 0 ? "all defaults" : `${many(count, "setting")} changed`;
};

/** One line of the apps. */
export const AppRow = ({ app, href, selected, focus }: AppRowProps) => (
  <div className={classes.line}>
    <div className={`${rows.row} ${classes.row}`}>
      <div className={rows.cell}>
        <Link {...focus} href={href} className={rows.link} aria-current={selected ? "true" : undefined}>
          <bdi>{app.name}</bdi>
        </Link>
        <span className={`mono ${rows.small}`}>{app.appId}</span>
      </div>
      <div className={rows.cell}>
        <span>signs in by {app.strategy}</span>
        <span className={rows.small}>{setWords(app)}</span>
      </div>
      <div className={`${rows.cell} ${classes.counts}`}>
        <span>{many(app.counts.profiles, "profile")}</span>
        <span className={rows.small}>{many(app.counts.sessions, "session")}</span>
      </div>
      <div className={`${rows.time} ${classes.time}`}>
        <RelativeTime instant={app.createdAt} appId={app.appId} />
      </div>
    </div>
  </div>
);
