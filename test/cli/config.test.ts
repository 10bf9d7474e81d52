import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  defaultDataDir,
  type Environment,
  type GivenOptions,
  type Host,
  homeFolder,
  readConfig,
  variableOf,
} from "#server/config.ts";
import { variablesNotice } from "#server/variables.ts";
import { freshPath } from "./support.ts";

const linux: Host = { platform: "linux", home: "/home/ada", cwd: "/project" };
const config = (given: GivenOptions, env: Environment = {}, at: Host = linux) => {
  const read = readConfig(given, env, at);
  if ("errors" in read) throw new Error(read.errors.join("; "));
  return read.config;
};
const errors = (given: GivenOptions, env: Environment = {}) => {
  const read = readConfig(given, env, linux);
  return "errors" in read ? read.errors : [];
};

const USUAL = { map: { "Full name": "name", Note: "" }, rest: "drop", country: "DE", duplicates: "last" };

describe("config", () => {
  test("defaults", () => {
    expect(config({})).toEqual({
      dataDir: "/home/ada/.local/share/stagedoor",
      fixtures: [],
      watch: false,
      signingKey: null,
      checkHosts: [],
      reset: false,
      adminPort: 4010,
      authPort: 4011,
      consolePort: 4012,
      lan: false,
      tls: false,
      authTlsPort: 4013,
      caDir: "/home/ada/.local/share/stagedoor-ca",
      adminHost: null,
      accessToken: null,
      joinToken: null,
      shared: { apps: 250, mebibytes: null },
      consoleHost: null,
      allowHosts: [],
      publicUrls: { admin: null, auth: null, console: null },
      testOrigins: [],
      persistRequests: false,
      durability: "process",
      json: false,
      open: false,
      headless: false,
      bodyLimitBytes: 1_048_576,
      retention: { passcodes: 1_000, sessions: 50_000, requests: 1_000 },
    });
  });

  test("every option has a variable, and the flag takes precedence", () => {
    const env = {
      STAGEDOOR_DATA: "here",
      STAGEDOOR_FIXTURES: "a.json:/b.json",
      STAGEDOOR_WATCH: "1",
      STAGEDOOR_SIGNING_KEY: "key.pem",
      STAGEDOOR_CHECK_HOST: "box.example",
      STAGEDOOR_RESET: "1",
      STAGEDOOR_ADMIN_PORT: "5",
      STAGEDOOR_AUTH_PORT: "2",
      STAGEDOOR_CONSOLE_PORT: "3",
      STAGEDOOR_LAN: "true",
      STAGEDOOR_TLS: "1",
      STAGEDOOR_AUTH_TLS_PORT: "4",
      STAGEDOOR_CA_DIR: "ca",
      STAGEDOOR_ADMIN_HOST: "0.0.0.0",
      STAGEDOOR_CONSOLE_HOST: "[::]",
      STAGEDOOR_ACCESS_TOKEN: "preset-token",
      STAGEDOOR_JOIN_TOKEN: "shared-token",
      STAGEDOOR_SHARED_APPS: "7",
      STAGEDOOR_SHARED_MEMORY: "8",
      STAGEDOOR_ALLOW_HOST: "Box.example, other.example",
      STAGEDOOR_DURABILITY: "disk",
      STAGEDOOR_JSON: "yes",
      STAGEDOOR_OPEN: "on",
      STAGEDOOR_HEADLESS: "1",
      STAGEDOOR_BODY_LIMIT: "2048",
      STAGEDOOR_KEEP_PASSCODES: "4",
      STAGEDOOR_KEEP_SESSIONS: "5",
      STAGEDOOR_KEEP_REQUESTS: "6",
      STAGEDOOR_PERSIST_REQUESTS: "1",
      STAGEDOOR_PUBLIC_ADMIN_URL: "https://admin.example/",
      STAGEDOOR_PUBLIC_AUTH_URL: "https://Auth.example:443",
      STAGEDOOR_PUBLIC_CONSOLE_URL: "http://127.0.0.1:14012",
      STAGEDOOR_MAP: "Full name=name;Note=",
      STAGEDOOR_REST: "drop",
      STAGEDOOR_COUNTRY: "DE",
      STAGEDOOR_DUPLICATES: "last",
      STAGEDOOR_TEST_ORIGIN: "http://localhost:3000/ http://127.0.0.1:5173",
    };
    expect(config({}, env)).toEqual({
      dataDir: "/project/here",
      fixtures: [
        { file: "/project/a.json", ...USUAL },
        { file: "/b.json", ...USUAL },
      ],
      watch: true,
      signingKey: "/project/key.pem",
      checkHosts: ["box.example"],
      reset: true,
      adminPort: 5,
      authPort: 2,
      consolePort: 3,
      lan: true,
      tls: true,
      authTlsPort: 4,
      caDir: "/project/ca",
      adminHost: "0.0.0.0",
      accessToken: "preset-token",
      joinToken: "shared-token",
      shared: { apps: 7, mebibytes: 8 },
      consoleHost: "::",
      allowHosts: ["box.example", "other.example"],
      publicUrls: { admin: "https://admin.example", auth: "https://auth.example", console: "http://127.0.0.1:14012" },
      testOrigins: ["http://localhost:3000", "http://127.0.0.1:5173"],
      persistRequests: true,
      durability: "disk",
      json: true,
      open: true,
      headless: true,
      bodyLimitBytes: 2048,
      retention: { passcodes: 4, sessions: 5, requests: 6 },
    });
    expect(config({ authPort: "8", durability: "memory" }, env)).toMatchObject({ authPort: 8, durability: "memory" });
  });

  test("ephemeral means durability memory, unless a flag says otherwise", () => {
    expect(config({ ephemeral: true }).durability).toBe("memory");
    expect(config({}, { STAGEDOOR_EPHEMERAL: "1", STAGEDOOR_DURABILITY: "disk" }).durability).toBe("memory");
    expect(config({ durability: "disk" }, { STAGEDOOR_EPHEMERAL: "1" }).durability).toBe("disk");
  });

  test("all invalid values are reported, by flag and variable", () => {
    expect(errors({ authPort: "eighty" }, { STAGEDOOR_DURABILITY: "granite", STAGEDOOR_LAN: "perhaps" })).toEqual([
      '--auth-port (or STAGEDOOR_AUTH_PORT) must be a whole number from 0 to 65535, not "eighty"',
      'STAGEDOOR_LAN (or --lan) must be true or false, not "perhaps"',
      'STAGEDOOR_DURABILITY (or --durability) must be process, disk or memory, not "granite"',
    ]);
    expect(errors({ adminPort: "65536" })).toHaveLength(1);
    expect(errors({ adminPort: "-1" })).toHaveLength(1);
    expect(errors({ adminPort: "4.5" })).toHaveLength(1);
    expect(errors({ allowHost: ["box:80"] })).toHaveLength(1);
    expect(errors({ adminHost: "http://x" })).toHaveLength(1);
    for (const origin of ["https://qa.example.com", "localhost:3000", "http://localhost:3000/login"])
      expect([origin, errors({ testOrigin: [origin] })]).toEqual([origin, [expect.stringContaining("--test-origin")]]);
    for (const url of ["qa.example.com", "https://qa.example.com/auth", "ftp://x", "https://u:p@x", "https://x?y", ""])
      expect([url, errors({ publicAuthUrl: url })]).toEqual([url, [expect.stringContaining("without a path")]]);
  });

  test("two listeners on one port are rejected, except on port 0", () => {
    expect(errors({ authPort: "4010" })).toEqual(["--admin-port and --auth-port are both 4010"]);
    expect(errors({ adminPort: "0", authPort: "0", consolePort: "0" })).toEqual([]);
  });

  test("empty variables count as absent", () => {
    expect(config({}, { STAGEDOOR_AUTH_PORT: "", STAGEDOOR_FIXTURES: "" })).toEqual(config({}));
  });

  test("the data directory is the platform's default", () => {
    expect(defaultDataDir({ XDG_DATA_HOME: "/data" }, linux)).toBe("/data/stagedoor");
    expect(defaultDataDir({ XDG_DATA_HOME: "data" }, linux)).toBe("/home/ada/.local/share/stagedoor");
    expect(defaultDataDir({}, { ...linux, platform: "darwin" })).toBe(
      "/home/ada/Library/Application Support/Stagedoor",
    );
    const windows: Host = { platform: "win32", home: "C:\\Users\\ada", cwd: "C:\\" };
    expect(defaultDataDir({ APPDATA: "D:\\Roaming" }, windows)).toBe("D:\\Roaming\\Stagedoor");
    expect(defaultDataDir({}, windows)).toBe("C:\\Users\\ada\\AppData\\Roaming\\Stagedoor");
  });

  test("stagedoor.config.json sets options; the environment takes precedence over it, and flags over both", () => {
    const folder = freshPath();
    mkdirSync(folder);
    const write = (text: string): void => writeFileSync(join(folder, "stagedoor.config.json"), text);
    const at = { ...linux, cwd: folder };
    write(
      '// for us all\n{ "$schema": "x", "authPort": 5, "consolePort": 2, "fixtures": ["a.json"], "ephemeral": true, }',
    );
    const read = config({ authPort: "3" }, { STAGEDOOR_CONSOLE_PORT: "4" }, at);
    expect(read).toMatchObject({
      authPort: 3,
      consolePort: 4,
      fixtures: [join(folder, "a.json")],
      durability: "memory",
    });
    expect(config({}, { STAGEDOOR_DURABILITY: "disk" }, at).durability).toBe("disk");
    expect(config({}, { STAGEDOOR_EPHEMERAL: "0" }, at).durability).toBe("process");
    const refused = (text: string) => {
      write(text);
      const wrong = readConfig({}, {}, at);
      return "errors" in wrong ? wrong.errors : [];
    };
    expect(refused('{"authPrt": 1}')).toEqual([
      'stagedoor.config.json:1:13: authPrt is unknown; did you mean "authPort"?',
    ]);
    expect(refused('{"authPort": "many"}')).toEqual([
      'stagedoor.config.json:1:14: authPort must be a whole number from 0 to 65535, not "many"',
    ]);
    const hosts = ["lan", "adminHost", "consoleHost", "allowHost", "checkHost"];
    for (const name of ["reset", ...hosts, "accessToken", "joinToken", "caDir"])
      expect(refused(JSON.stringify({ [name]: true }))).toEqual([
        `stagedoor.config.json:1:${name.length + 5}: ${name} may only be a flag or a variable`,
      ]);
    expect(refused('{"data": }')).toEqual([expect.stringMatching(/^stagedoor\.config\.json:1:10: /)]);
    expect(refused("[]")).toHaveLength(1);
  });

  test("one text cannot be the access token and the join token", () => {
    const both = { STAGEDOOR_ACCESS_TOKEN: "one-secret", STAGEDOOR_JOIN_TOKEN: "one-secret" };
    expect(errors({}, both)).toEqual([expect.stringContaining("must differ")]);
    expect(errors({}, { ...both, STAGEDOOR_JOIN_TOKEN: "another-secret" })).toEqual([]);
  });

  describe("stagedoor.config.json of somebody else's checkout", () => {
    const checkout = (text: string): { folder: string; file: string; read: () => ReturnType<typeof readConfig> } => {
      const folder = freshPath();
      mkdirSync(folder);
      const file = join(folder, "stagedoor.config.json");
      writeFileSync(file, text);
      return { folder, file, read: () => readConfig({}, {}, { ...linux, cwd: folder }) };
    };
    const refused = ({ read }: ReturnType<typeof checkout>): readonly string[] => {
      const wrong = read();
      return "errors" in wrong ? wrong.errors : [];
    };

    test.each(["../data", "/var/data", ".", "a/../..", "link", "link/inner"])("data cannot be %s", (data) => {
      const at = checkout(JSON.stringify({ data }));
      symlinkSync(tmpdir(), join(at.folder, "link"));
      expect(refused(at)).toEqual([
        `stagedoor.config.json:1:9: data must be a folder below this file, not ${JSON.stringify(data)}`,
      ]);
    });

    test("data can be below the file, whether or not it exists", () => {
      for (const data of ["data", "./a/b", "..data"]) expect(refused(checkout(JSON.stringify({ data })))).toEqual([]);
    });

    test("a file that is none, or too large, is refused at once", () => {
      const at = checkout(" ".repeat(1_048_577));
      expect(refused(at)).toEqual(["stagedoor.config.json: is 1.0 MiB; the maximum is 1 MiB"]);
      rmSync(at.file);
      execFileSync("mkfifo", [at.file]);
      expect(refused(at)).toEqual(["stagedoor.config.json: is not a regular file"]);
      rmSync(at.file);
      symlinkSync("/dev/zero", at.file);
      expect(refused(at)).toEqual(["stagedoor.config.json: is not a regular file"]);
      rmSync(at.file);
      mkdirSync(at.file);
      expect(refused(at)).toEqual(["stagedoor.config.json: is a folder, not a file"]);
    });
  });

  test("without a home folder what is kept needs a folder of its own; an empty HOME is no home", () => {
    const nowhere = { ...linux, home: "" };
    const read = readConfig({ tls: true }, {}, nowhere);
    expect("errors" in read ? read.errors : []).toEqual([
      "--data (or STAGEDOOR_DATA) must be a folder: its default is in your home folder, and HOME names none",
      "--ca-dir (or STAGEDOOR_CA_DIR) must be a folder: its default is in your home folder, and HOME names none",
    ]);
    expect(config({ data: "here" }, {}, nowhere).dataDir).toBe("/project/here");
    expect(config({ durability: "memory" }, {}, nowhere).durability).toBe("memory");
    expect(config({}, { XDG_DATA_HOME: "/data" }, nowhere)).toMatchObject({ dataDir: "/data/stagedoor" });
    const unknown = (): string => {
      throw new Error("uv_os_homedir returned ENOENT");
    };
    expect(homeFolder([() => "", () => "/home/ada"])).toBe("/home/ada");
    expect(homeFolder([unknown, () => "relative", unknown])).toBe("");
  });

  test("unknown variables are reported once, with the nearest name; those of Kubernetes are ignored", () => {
    expect(variablesNotice({ STAGEDOOR_AUTH_PROT: "1", STAGEDOOR_XYZZY_PLUGH_QUUX: "1", PATH: "x" })).toBe(
      "Unknown environment variables: STAGEDOOR_AUTH_PROT (did you mean STAGEDOOR_AUTH_PORT?), STAGEDOOR_XYZZY_PLUGH_QUUX",
    );
    const service = {
      STAGEDOOR_SERVICE_HOST: "10.0.0.1",
      STAGEDOOR_SERVICE_PORT_AUTH: "4011",
      STAGEDOOR_PORT: "tcp://10.0.0.1:4010",
      STAGEDOOR_PORT_4010_TCP: "tcp://10.0.0.1:4010",
      STAGEDOOR_PORT_4010_TCP_ADDR: "10.0.0.1",
      STAGEDOOR_CONSOLE_URL: "http://127.0.0.1:4012",
    };
    expect(variablesNotice(service)).toBeUndefined();
    // A service called stagedoor-console.
    const clash = { ...service, STAGEDOOR_CONSOLE_PORT: "tcp://10.0.0.1:4012" };
    expect(config({}, clash).consolePort).toBe(4012);
    expect(variablesNotice(clash)).toMatch(/^Ignored, .*: STAGEDOOR_CONSOLE_PORT\. .*enableServiceLinks: false/);
  });

  test("variables are named after flags", () => {
    expect(variableOf("--allow-host")).toBe("STAGEDOOR_ALLOW_HOST");
  });
});
