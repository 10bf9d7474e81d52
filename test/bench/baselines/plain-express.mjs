/** The plain baseline: Express 5 as in its guide. */
import { app } from "./express-app.mjs";

const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(JSON.stringify({ event: "ready", port: typeof address === "object" ? address?.port : 0 }));
});
