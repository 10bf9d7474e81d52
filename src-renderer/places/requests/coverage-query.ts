import { ofApp } from "../../api/emulator.ts";
import { query } from "../../api/queries.ts";

/** Login coverage of an app, or of all. */
export const coverageQuery = (appId: string | null) =>
  query(["coverage", appId], ({ coverage }) => coverage.get(ofApp(appId)));
