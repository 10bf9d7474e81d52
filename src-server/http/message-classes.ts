/**
 * Requests and answers that are born with the prototypes that Express gives them.
 *
 * Express sets the prototype of each request and answer as it comes, which V8 punishes: all that Node and Express do with
 * such an object afterwards is slow (expressjs/express#5998; three quarters of the cost of a small request). Setting the
 * prototype that an object already has costs nothing, and Node lets a server name the classes of its messages.
 */
import { IncomingMessage, type ServerOptions, ServerResponse } from "node:http";
import type { Express } from "express";

/** An app as those see it who let it listen. */
export type HttpApp = Express;

/** The classes that a server makes its messages of, as `http.createServer` takes them. */
export type MessageClasses = Required<Pick<ServerOptions, "IncomingMessage" | "ServerResponse">>;

/** A second pair of classes would take the prototypes of the first away. */
const known = new WeakMap<HttpApp, MessageClasses>();

/** @param app is told of the classes. @returns what its servers have to make their messages of. */
export const messageClasses = (app: HttpApp): MessageClasses => {
  const made = known.get(app);
  if (made !== undefined) return made;
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  // What Express adds to Node's classes stays between them and ours.
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  const classes = { IncomingMessage: AppRequest, ServerResponse: AppResponse };
  known.set(app, classes);
  return classes;
};
