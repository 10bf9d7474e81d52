/** docs/recipes/README.md, "With your own users": `exec --fixtures` of a file of users, and the helper of each tool. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { freshPath, run, runAlone } from "#test/cli/support.ts";
import { blocksOf, fileName } from "#test/docs/blocks.ts";
import { isHere, TOOLS } from "./languages.ts";

const blocks = blocksOf("docs/recipes/README.md");
const users = blocks.find(({ text }) => text.startsWith("Name,Phone"))?.text ?? "";
const pytest = blocks.find((block) => fileName(block) === "test_users.py")?.text ?? "";

/** A test of the users of the file, by tool: where it belongs, and the test. */
const TESTS: Readonly<Record<string, readonly [file: string, text: string]>> = {
  pytest: ["test_users.py", pytest],
  junit5: [
    "UsersTest.java",
    `import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*; import org.junit.jupiter.api.extension.ExtendWith;
@ExtendWith(Stagedoor.PerTest.class)
class UsersTest {
  @Test void signsIn(Stagedoor stagedoor) {
    assertEquals("Ada Lovelace", stagedoor.people.get(0).get("name"));
    assertEquals(200, stagedoor.authenticate((String) stagedoor.people.get(0).get("phone"), "123456").status());
  }
}`,
  ],
  go: [
    "users_test.go",
    `package main_test

import "testing"

func TestUsers(t *testing.T) {
	stagedoor := New(t, nil)
	if ada := stagedoor.People[0]; ada.Name != "Ada Lovelace" || stagedoor.Authenticate(ada.Phone, "123456").Status != 200 {
		t.Fatal(ada)
	}
}
`,
  ],
  rspec: [
    "spec/users_spec.rb",
    `require "stagedoor_helper"
describe "users" do
  it "sign in" do
    ada = stagedoor.people[0]
    expect(ada["name"]).to eq("Ada Lovelace")
    expect(stagedoor.authenticate(ada["phone"], "123456").status).to eq(200)
  end
end
`,
  ],
  phpunit: [
    "tests/UsersTest.php",
    `<?php
require_once __DIR__ . '/StagedoorTestCase.php';
final class UsersTest extends StagedoorTestCase
{
    public function testSignsIn(): void
    {
        self::assertSame('Ada Lovelace', $this->stagedoor->people[0]['name']);
        self::assertSame(200, $this->stagedoor->authenticate($this->stagedoor->people[0]['phone'], '123456')->status);
    }
}
`,
  ],
};

test.each(Object.entries(TESTS))("%s: a user of the file signs in, in a copy of the app", async (name, given) => {
  const tool = TOOLS[name] ?? expect.fail(name);
  if (!isHere(name, tool)) return;
  const folder = freshPath(`${name}-users`);
  const [helper] = tool.files;
  const files = { ...tool.more, [helper]: (await run(["helper", name])).out, [given[0]]: given[1], "users.csv": users };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const [command = ""] = tool.commands;
  const line = ["exec", "--fixtures", "users.csv", "--country", "US", "--", "sh", "-c", command];
  const { status, out, err } = await runAlone(line, { cwd: folder, env: { GOFLAGS: "-mod=mod", GOPROXY: "off" } });
  expect([status, `${out}${err}`]).toEqual([
    0,
    expect.stringMatching(/1 (?:passed|tests successful|example)|PASS|OK \(1/),
  ]);
});

test("newman gets the console's URL from exec", async () => {
  const folder = freshPath("newman");
  mkdirSync(folder);
  writeFileSync(join(folder, "newman"), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  const { out } = await runAlone(["exec", "--", "./newman", "run", "login.json"], { cwd: folder });
  expect(out).toMatch(/^run login\.json --env-var consoleUrl=http:\/\/127\.0\.0\.1:\d+\n$/);
});
