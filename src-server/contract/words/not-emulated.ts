/** What apps and backends ask a real service for, and Stagedoor does not emulate. */

/** Something that is not emulated. */
export interface NotEmulated {
  /** What it is, in a few words. */
  readonly title: string;
  /** The paths that it is known by, in lower case, without a slash at the end. */
  readonly paths: RegExp;
  /** Examples of its paths, for the documents. */
  readonly examples: readonly string[];
  /** What a request is told. `{auth}`, `{admin}` and `{console}` are base URLs. */
  readonly says: string;
}

const LOGIN_ONLY = "Stagedoor emulates sign-in, not";

/** The table of what is not emulated; also in docs/fidelity.md. */
export const NOT_EMULATED: readonly NotEmulated[] = [
  {
    title: "GraphQL",
    paths: /^(?:\/[a-z0-9_-]{1,40})?(?:\/[a-z0-9_-]{1,40})?\/graphql$/,
    examples: ["/graphql", "/v1/graphql"],
    says: `${LOGIN_ONLY} the GraphQL endpoint that takes its tokens. The recipe “What comes after the login” (docs/recipes/after-the-login.md) has one to run next to it.`,
  },
  {
    title: "OAuth and OpenID Connect flows",
    paths:
      /^(?:\/v\d|\/api|\/oauth2?|\/connect)*\/(?:oauth2?|token|authorize|userinfo|introspect|revoke|device_authorization)$/,
    examples: ["/oauth/token", "/authorize", "/userinfo"],
    says: `${LOGIN_ONLY} OAuth flows: a session token comes from POST and PUT {auth}/v1/users/session. Verifiers find its keys at {auth}/.well-known/jwks.json.`,
  },
  {
    title: "App links and passkeys",
    paths:
      /^(?:\/\.well-known\/(?:apple-app-site-association|assetlinks\.json|webauthn|passkey-endpoints)|\/apple-app-site-association)$/,
    examples: ["/.well-known/apple-app-site-association", "/.well-known/assetlinks.json"],
    says: `${LOGIN_ONLY} app links or passkeys. Serve this file from the domain of your app.`,
  },
  {
    title: "SCIM",
    paths: /^(?:\/[a-z0-9_-]{1,40})?\/scim(?:\/.{0,200})?$/,
    examples: ["/scim/v2/Users"],
    says: "Stagedoor has no SCIM interface. Profiles are at {admin}/v1/profiles.",
  },
  {
    title: "API documents under usual names",
    paths: /^\/(?:swagger|swagger-ui|swagger\.json|api-docs|v\d\/api-docs|openapi\.json|docs)$/,
    examples: ["/openapi.json", "/swagger.json"],
    says: "The OpenAPI documents are at {console}/openapi/admin.json and {console}/openapi/auth.json.",
  },
  {
    title: "Health checks under usual names",
    paths: /^\/(?:health|healthz|healthcheck|ping|metrics|_health)$/,
    examples: ["/health", "/metrics"],
    says: "The health checks are /livez and /readyz. There are no metrics.",
  },
];

/** No path of a table is longer. */
const LONGEST = 300;

/** @param path as it was requested. @returns what is known of it; undefined: nothing. */
export const notEmulated = (path: string): NotEmulated | undefined => {
  if (path.length > LONGEST) return undefined;
  const asked = path.toLowerCase().replace(/\/$/, "");
  return NOT_EMULATED.find(({ paths }) => paths.test(asked));
};
