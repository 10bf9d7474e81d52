import classes from "./away-banner.module.css";

/** The server is away: what to do, and that nothing here needs doing. */
export const AwayBanner = () => (
  <div className={classes.banner} role="alert">
    <strong>Stagedoor is not running at {window.location.host}.</strong> Start it again with{" "}
    <code className="mono">npm start</code> or <code className="mono">stagedoor start</code>. This page comes back by
    itself; until then it shows what it last heard.
  </div>
);
