/**
 * A login in the languages of clients, with the real values of an app and in its own wire shape.
 */

import type { App } from "#client/index.ts";
import { effectiveSettings } from "#contract/effective-settings.ts";
import { wireBody } from "../../ui/wire-shape.ts";
import { CODE, literal, type Syntax, stringIn } from "./literals.ts";

/** In the address as the id; curl is there when none is named. */
export const LANGUAGES = [
  [null, "curl"],
  ["fetch", "fetch"],
  ["swift", "Swift"],
  ["kotlin", "Kotlin"],
  ["dart", "Dart"],
  ["react-native", "React Native"],
] as const;
/** @see LANGUAGES */
export type Language = NonNullable<(typeof LANGUAGES)[number][0]>;

/** @returns the language that an address names; null: curl. */
export const languageOf = (id: string | null): Language | null =>
  LANGUAGES.find(([language]) => language === id)?.[0] ?? null;

const named = (name: string, value: string): string => `${name}: ${value}`;
const SCRIPT: Syntax = {
  open: "{ ",
  close: " }",
  // A name that is an identifier needs no quotes.
  entry: (name, value) => named(/^"[A-Za-z_]\w*"$/.test(name) ? name.slice(1, -1) : name, value),
};
const SWIFT: Syntax = { open: "[", close: "]", entry: named, unicode: (hex) => `\\u{${hex}}` };
const KOTLIN: Syntax = {
  open: "mapOf(",
  close: ")",
  entry: (name, value) => `${name} to ${value}`,
  dollar: true,
};
const DART: Syntax = { open: "{", close: "}", entry: named, dollar: true };

interface Snippet {
  readonly baseUrl: string;
  readonly app: App;
  readonly username: string;
}

const bodies = ({ app, username }: Snippet, syntax: Syntax) => {
  const { wire } = effectiveSettings(app.settings);
  const { signUpStatus, authenticateStatus } = wire;
  return {
    ask: literal(syntax, wireBody(wire, app, username)),
    signIn: literal(syntax, wireBody(wire, app, username, CODE)),
    asked: `${signUpStatus}: a new user, signed up, with a session. 202: a code is on its way.`,
    signedIn: `${authenticateStatus}: id, expiration, userId and token. 401: not this code.`,
  };
};

const script = (snippet: Snippet, head: string): string => {
  const { ask, signIn, asked, signedIn } = bodies(snippet, SCRIPT);
  return `${head}

const call = (method, body) =>
  fetch(\`\${AUTH_URL}/v1/users/session\`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

// ${asked}
const askForCode = () =>
  call("POST", ${ask});

// ${signedIn}
const signIn = (code) =>
  call("PUT", ${signIn});`;
};

const fetchSnippet = (snippet: Snippet): string =>
  script(snippet, `const AUTH_URL = ${stringIn(SCRIPT, snippet.baseUrl)};`);

const reactNative = (snippet: Snippet): string => {
  const { hostname, port } = URL.canParse(snippet.baseUrl) ? new URL(snippet.baseUrl) : { hostname: "", port: "" };
  if (!["127.0.0.1", "10.0.2.2"].includes(hostname)) return fetchSnippet(snippet);
  return script(
    snippet,
    `import { Platform } from "react-native";

const AUTH_URL = Platform.select({
  android: "http://10.0.2.2:${port}",
  default: "http://127.0.0.1:${port}",
});`,
  );
};

const swift = (snippet: Snippet): string => {
  const { ask, signIn, asked, signedIn } = bodies(snippet, SWIFT);
  return `import Foundation

func call(_ method: String, _ body: [String: Any]) async throws -> (Data, Int) {
  var request = URLRequest(url: URL(string: ${stringIn(SWIFT, `${snippet.baseUrl}/v1/users/session`)})!)
  request.httpMethod = method
  request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  request.httpBody = try JSONSerialization.data(withJSONObject: body)
  let (data, response) = try await URLSession.shared.data(for: request)
  return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
}

// ${asked}
func askForCode() async throws -> (Data, Int) {
  try await call("POST", ${ask})
}

// ${signedIn}
func signIn(code: String) async throws -> (Data, Int) {
  try await call("PUT", ${signIn})
}`;
};

const kotlin = (snippet: Snippet): string => {
  const { ask, signIn, asked, signedIn } = bodies(snippet, KOTLIN);
  return `// implementation("com.squareup.okhttp3:okhttp:5.1.0")
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody
import okhttp3.Response
import org.json.JSONObject

private val client = OkHttpClient()

private fun call(method: String, body: Map<String, Any>): Response {
  val json = JSONObject(body).toString().toRequestBody("application/json".toMediaType())
  val request = Request.Builder().url(${stringIn(KOTLIN, `${snippet.baseUrl}/v1/users/session`)}).method(method, json).build()
  return client.newCall(request).execute()
}

// ${asked}
fun askForCode() = call("POST", ${ask})

// ${signedIn}
fun signIn(code: String) = call("PUT", ${signIn})`;
};

const dart = (snippet: Snippet): string => {
  const { ask, signIn, asked, signedIn } = bodies(snippet, DART);
  return `import 'dart:convert';
import 'package:http/http.dart' as http;

final url = Uri.parse(${stringIn(DART, `${snippet.baseUrl}/v1/users/session`)});
const headers = {'Content-Type': 'application/json'};

// ${asked}
Future<http.Response> askForCode() =>
    http.post(url, headers: headers, body: jsonEncode(${ask}));

// ${signedIn}
Future<http.Response> signIn(String code) =>
    http.put(url, headers: headers, body: jsonEncode(${signIn}));`;
};

/** The snippet of each language. */
export const SNIPPETS: Readonly<Record<Language, (snippet: Snippet) => string>> = {
  fetch: fetchSnippet,
  swift,
  kotlin,
  dart,
  "react-native": reactNative,
};
