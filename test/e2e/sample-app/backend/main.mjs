// @ts-check
/**
 * `node backend/main.mjs [FOLDER]`: serves the built page on http://127.0.0.1:4020, for the demo app of a Stagedoor on its usual
 * ports, unless the environment says otherwise.
 */
import { fileURLToPath } from "node:url";
import { readPages } from "./pages.mjs";
import { createBackend } from "./server.mjs";

const {
  STAGEDOOR_ADMIN_URL: adminUrl = "http://127.0.0.1:4010",
  STAGEDOOR_AUTH_URL: authUrl = "http://127.0.0.1:4011",
  STAGEDOOR_APP_ID: appId = "demo-app",
  STAGEDOOR_APP_SECRET: appSecret = "sk_local_demo",
  PORT = "4020",
} = process.env;

const [, , folder = fileURLToPath(new URL("../dist", import.meta.url))] = process.argv;
const pages = await readPages(folder);
const server = createBackend({ adminUrl, authUrl, appId, appSecret }, pages);
server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : PORT;
  console.log(`Front Row is at http://127.0.0.1:${port}`);
});
