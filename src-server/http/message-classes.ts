/**
 * Requests and responses created with the prototypes that Express would set later.
 *
 * Express sets the prototype of each request and response when it arrives, which V8 penalises: everything that Node and
 * Express then do with the object is slow (expressjs/express#5998; three quarters of the cost of a small request).
 * Setting the prototype that an object already has is free, and a Node server can be given its message classes.
 */
import { IncomingMessage, type ServerOptions, ServerResponse } from "node:http";
import type { Express } from "express";

/** An app as seen by the code that makes it listen. */
export type HttpApp = Express;

/** The message classes of a server, as options for `http.createServer`. */
export type MessageClasses = Required<Pick<ServerOptions, "IncomingMessage" | "ServerResponse">>;

/** Cached, because a second pair of classes would take the prototypes away from the first. */
const known = new WeakMap<HttpApp, MessageClasses>();

/** @param app is set to use the classes. @returns the classes for its servers. */
export const messageClasses = (app: HttpApp): MessageClasses => {
  const made = known.get(app);
  if (made !== undefined) return made;
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  // Express's additions stay in the chain between Node's classes and ours.
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  const classes = { IncomingMessage: AppRequest, ServerResponse: AppResponse };
  known.set(app, classes);
  return classes;
};
