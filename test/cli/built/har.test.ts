import { readFile, stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { freshPath, run, send, sendCode, start } from "#test/cli/support.ts";

test("requests --har writes an archive of the log, oldest first, with secrets masked", async () => {
  const server = await start(["--ephemeral"]);
  const { consoleUrl, authUrl, adminUrl } = server.ready;
  await sendCode(server.ready);
  const body = { appId: "demo-app", user: { phone: "+12025550177" }, apiKey: "hunter2" };
  const signedUp = await send("POST", `${authUrl}/v1/users/session?access_token=hunter2`, body, {
    "X-Api-Key": "hunter2",
  });
  const { token } = await signedUp.json();
  await send("GET", `${adminUrl}/v1/profiles`, undefined, { Authorization: `Bearer ${token}`, Cookie: "a=hunter2" });
  const file = freshPath("requests.har");
  const saved = await run(["requests", "--har", file, "--url", consoleUrl]);
  expect(saved).toMatchObject({ status: 0, out: "", err: "3 requests saved.\n" });
  expect((await stat(file)).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
  const text = await readFile(file, "utf8");
  for (const secret of [token, "hunter2"]) expect(text).not.toContain(secret);
  const { log } = JSON.parse(text);
  expect(log).toMatchObject({ version: "1.2", creator: { name: "Stagedoor" } });
  const shown = log.entries.map(
    ({ request, response }: Record<string, { method?: string; url?: string; status?: number }>) => [
      ...[request?.method, request?.url, response?.status],
    ],
  );
  expect(shown).toEqual([
    ["POST", `${authUrl}/v1/users/session`, 202],
    ["POST", `${authUrl}/v1/users/session?access_token=***`, 200],
    ["GET", `${adminUrl}/v1/profiles`, 401],
  ]);
  const [, entry, refused] = log.entries;
  expect(entry.request).toMatchObject({
    queryString: [{ name: "access_token", value: "***" }],
    postData: { mimeType: "application/json", text: JSON.stringify({ ...body, apiKey: "***" }) },
  });
  expect(entry.response.content).toMatchObject({ mimeType: expect.stringContaining("json"), size: expect.any(Number) });
  expect(JSON.parse(entry.response.content.text).token).toBe("***");
  expect(refused.request.headers).toContainEqual({ name: "authorization", value: "Bearer ***" });
  expect(refused.comment).not.toBe("");
  const some = await run(["requests", "--har", file, "--path", "/v1/profiles", "--json", "--url", consoleUrl]);
  expect(JSON.parse(some.out)).toEqual({ file, requests: 1 });
  await server.stop();
});
