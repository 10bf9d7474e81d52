/** Code for a login in client languages, with the real values of an app and in its wire shape. */
import type { App } from "#client/index.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { isObject, wireBody } from "#contract/service/wire-body.ts";

/** Placeholder for the code in a body, replaced by the variable `code`. */
export const CODE = "\u0000code";

interface Syntax {
  readonly open: string;
  readonly close: string;
  readonly entry: (name: string, value: string) => string;
  /** Whether `$` in a string must be escaped. */
  readonly dollar?: boolean;
  readonly unicode?: (hex: string) => string;
  /** Follows a nested object with values of different types. */
  readonly mixed?: string;
}

const stringIn = ({ dollar = false, unicode = (hex) => `\\u${hex}` }: Syntax, text: string): string => {
  const inside = [...text].map((char) => {
    if (char === '"' || char === "\\" || (dollar && char === "$")) return `\\${char}`;
    if (char >= " " && char !== "\u007f" && char !== "\u2028" && char !== "\u2029") return char;
    return unicode((char.codePointAt(0) ?? 0).toString(16).padStart(4, "0"));
  });
  return `"${inside.join("")}"`;
};

/** @returns an object literal in the language, on one line. */
export const literal = (syntax: Syntax, value: JsonObject): string => {
  const entries = Object.entries(value).map(([name, one]) => {
    if (one === CODE) return syntax.entry(stringIn(syntax, name), "code");
    const mixed = isObject(one) && Object.values(one).some(isObject) ? (syntax.mixed ?? "") : "";
    const written = isObject(one) ? literal(syntax, one) + mixed : stringIn(syntax, String(one));
    return syntax.entry(stringIn(syntax, name), written);
  });
  return `${syntax.open}${entries.join(", ")}${syntax.close}`;
};

/** The id in the URL, and the name; curl is the default. */
export const LANGUAGES = [
  [null, "curl"],
  ["fetch", "fetch"],
  ["swift", "Swift"],
  ["kotlin", "Kotlin"],
  ["dart", "Dart"],
  ["react-native", "React Native"],
] as const;
type Language = NonNullable<(typeof LANGUAGES)[number][0]>;

/** @returns the language in a URL, and its name. */
export const languageOf = (id: string | null) => LANGUAGES.find(([language]) => language === id) ?? LANGUAGES[0];

const named = (name: string, value: string): string => `${name}: ${value}`;
const SCRIPT: Syntax = {
  open: "{ ",
  close: " }",
  // A key that is an identifier needs no quotes.
  entry: (name, value) => named(/^"[A-Za-z_]\w*"$/.test(name) ? name.slice(1, -1) : name, value),
};
const SWIFT: Syntax = {
  open: "[",
  close: "]",
  entry: named,
  unicode: (hex) => `\\u{${hex}}`,
  mixed: " as [String: Any]",
};
const KOTLIN: Syntax = { open: "mapOf(", close: ")", entry: (name, value) => `${name} to ${value}`, dollar: true };
const DART: Syntax = { open: "{", close: "}", entry: named, dollar: true };

interface Snippet {
  readonly baseUrl: string;
  readonly app: App;
  readonly username: string;
}

const partsOf = (syntax: Syntax, { baseUrl, app, username }: Snippet) => {
  const { wire } = effectiveSettings(app.settings);
  return {
    ask: literal(syntax, wireBody(wire, app, username)),
    signIn: literal(syntax, wireBody(wire, app, username, CODE)),
    asked: `${wire.signUpStatus}: a new user, signed up, with a session. 202: a code is on its way.`,
    signedIn: `${wire.authenticateStatus}: id, expiration, userId and token. 401: not this code.`,
    url: stringIn(syntax, `${baseUrl}/v1/users/session`),
    baseUrl,
  };
};

type Write = (parts: ReturnType<typeof partsOf>) => string;

/** @param types true for TypeScript. */
const script = (head: (baseUrl: string) => string, types: boolean): Write => {
  const [text, object, response] = types ? [": string", ": object", ": Promise<Response>"] : ["", "", ""];
  return ({ ask, signIn, asked, signedIn, baseUrl }) => `${head(baseUrl)}

const call = (method${text}, body${object})${response} =>
  fetch(\`\${AUTH_URL}/v1/users/session\`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

// ${asked}
const askForCode = ()${response} =>
  call("POST", ${ask});

// ${signedIn}
const signIn = (code${text})${response} =>
  call("PUT", ${signIn});`;
};

const constUrl = (baseUrl: string): string => `const AUTH_URL = ${stringIn(SCRIPT, baseUrl)};`;

const urlByPlatform = (baseUrl: string): string => {
  if (!URL.canParse(baseUrl)) return constUrl(baseUrl);
  const { protocol, hostname, port } = new URL(baseUrl);
  if (!["127.0.0.1", "localhost", "10.0.2.2"].includes(hostname)) return constUrl(baseUrl);
  return `import { Platform } from "react-native";

const AUTH_URL = Platform.select({
  android: "${protocol}//10.0.2.2:${port}",
  default: "${protocol}//127.0.0.1:${port}",
});`;
};

const swift: Write = ({ ask, signIn, asked, signedIn, url }) => `import Foundation  // iOS 15 or newer

func call(_ method: String, _ body: [String: Any]) async throws -> (Data, Int) {
  var request = URLRequest(url: URL(string: ${url})!)
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

struct Session: Decodable {
  let id: String
  let expiration: Int
  let userId: String
  let token: String
}

// ${signedIn}
func signIn(code: String) async throws -> Session {
  let (data, status) = try await call("PUT", ${signIn})
  guard (200..<300).contains(status) else { throw URLError(.userAuthenticationRequired) }
  return try JSONDecoder().decode(Session.self, from: data)
}`;

const kotlin: Write = ({ ask, signIn, asked, signedIn, url }) => `// implementation("com.squareup.okhttp3:okhttp:5.1.0")
// implementation("org.jetbrains.kotlinx:kotlinx-coroutines-android:1.10.2")
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody
import org.json.JSONObject

private val client = OkHttpClient()

// The status and the body. Not on the main thread, which Android forbids.
private suspend fun call(method: String, body: Map<String, Any>): Pair<Int, String> = withContext(Dispatchers.IO) {
  val json = JSONObject(body).toString().toRequestBody("application/json".toMediaType())
  val request = Request.Builder().url(${url}).method(method, json).build()
  client.newCall(request).execute().use { it.code to it.body.string() }
}

// ${asked}
suspend fun askForCode() = call("POST", ${ask})

// ${signedIn}
suspend fun signIn(code: String) = call("PUT", ${signIn})`;

const dart: Write = ({ ask, signIn, asked, signedIn, url }) => `// flutter pub add http
import 'dart:convert';
import 'package:http/http.dart' as http;

final url = Uri.parse(${url});
const headers = {'Content-Type': 'application/json'};

// ${asked}
Future<http.Response> askForCode() =>
    http.post(url, headers: headers, body: jsonEncode(${ask}));

// ${signedIn}
Future<http.Response> signIn(String code) =>
    http.put(url, headers: headers, body: jsonEncode(${signIn}));`;

const WRITERS: Readonly<Record<Language, readonly [Syntax, Write]>> = {
  fetch: [SCRIPT, script(constUrl, false)],
  swift: [SWIFT, swift],
  kotlin: [KOTLIN, kotlin],
  dart: [DART, dart],
  "react-native": [SCRIPT, script(urlByPlatform, true)],
};

/** @returns the code of a login in a language. */
export const snippetIn = (language: Language, snippet: Snippet): string => {
  const [syntax, write] = WRITERS[language];
  return write(partsOf(syntax, snippet));
};
