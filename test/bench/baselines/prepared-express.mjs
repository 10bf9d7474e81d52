/**
 * Express 5 whose server creates requests and responses with the prototypes that Express would set: on Node 20 and 22, V8
 * makes everything slow that is done with an object after its prototype was set.
 */
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import { app } from "./express-app.mjs";

class AppRequest extends IncomingMessage {}
/** @extends {ServerResponse<AppRequest>} */
class AppResponse extends ServerResponse {}
app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);

const server = createServer({ IncomingMessage: AppRequest, ServerResponse: AppResponse }, app);
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(JSON.stringify({ event: "ready", port: typeof address === "object" ? address?.port : 0 }));
});
