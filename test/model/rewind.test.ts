/** Random stories of users and apps with random rewinds, against a copy of everything at each moment. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { newDir } from "#test/store/support.ts";
import { runs } from "#test/support/runs.ts";

const USERS = ["+13035550101", "+13035550102", "+13035550103"];
const LOGIN = "/v1/users/session";
const user = fc.nat(USERS.length - 1);

/** One step of a story; `pick` chooses a moment or a record. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant("ask" as const), user }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant("enter" as const), user, right: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("rename" as const), user, pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("remove" as const), user }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constantFrom("import", "snapshot", "restore", "clock", "restart"), user }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant("rewind" as const), user, pick: fc.nat(), whole: fc.boolean() }),
  },
);

test("an app, or a user of it, is as it was", { timeout: 300_000 }, async () => {
  const stories = fc.array(step, { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const config = {
        dataDir: newDir(),
        durability: "process" as const,
        retention: { passcodes: 6, sessions: 4, requests: 100 },
      };
      let server = await startInProcess({ config });
      try {
        const { control, auth } = clientsOf(() => server);
        const { appId } = (await control("POST", "/apps", { appId: "model" })).json;
        // biome-ignore lint/suspicious/noExplicitAny: as a client reads it
        const read = async (): Promise<any> => {
          // An export counts `seq` from 1.
          const { text } = await control("GET", `/state?volatile=1&appId=${appId}`);
          return JSON.parse(text, (name, value) => (name === "seq" ? undefined : value)).apps[0];
        };
        /** What each moment was, by number. */
        // biome-ignore lint/suspicious/noExplicitAny: as a client reads it
        const moments = new Map<number, any>();
        const note = async () => moments.set((await control("POST", "/mark", { appId })).json.seq, await read());
        const NOUNS = ["profiles", "passcodes", "sessions", "connections"] as const;
        await note();
        for (const one of story) {
          const phone = USERS[one.user];
          const profile = (await read()).profiles.find((it: { phone: string }) => it.phone === phone);
          const newest = (await read()).passcodes.findLast((it: { userId: string }) => it.userId === profile?.userId);
          if (one.act === "ask") await auth("POST", LOGIN, { appId, user: { phone } });
          else if (one.act === "enter")
            await auth("PUT", LOGIN, { appId, user: { phone }, passcode: one.right ? (newest?.code ?? "1") : "x" });
          else if (one.act === "rename")
            await control("PATCH", `/profiles/${profile?.userId}?appId=${appId}`, { name: `Name ${one.pick}` });
          else if (one.act === "remove") await control("DELETE", `/profiles/${profile?.userId}?appId=${appId}`);
          else if (one.act === "snapshot") await control("PUT", `/snapshots/then?appId=${appId}`);
          else if (one.act === "restore") await control("POST", `/snapshots/then/restore?appId=${appId}`);
          else if (one.act === "clock") await control("POST", `/clock/advance?appId=${appId}`, { seconds: 400 });
          else if (one.act === "import") {
            const state = { apps: [{ ...(await read()), profiles: [{ phone, name: "Imported" }] }] };
            await control("PUT", `/state?appId=${appId}`, { mode: "merge", state });
          } else if (one.act === "restart") {
            await server.close();
            server = await startInProcess({ config });
            const { oldestSeq } = (await control("GET", `/timeline?appId=${appId}`)).json;
            for (const seq of moments.keys()) if (seq < oldestSeq) moments.delete(seq);
          } else if ("pick" in one && "whole" in one) {
            const known = [...moments.keys()].filter((seq) => seq > 0);
            const to = known[one.pick % Math.max(1, known.length)];
            if (to === undefined) continue;
            const then = moments.get(to);
            const now = await read();
            const userId = one.whole
              ? undefined
              : then.profiles.find((it: { phone: string }) => it.phone === phone)?.userId;
            if (!one.whole && userId === undefined) continue;
            const { status } = await control("POST", "/rewind", { appId, to, ...(userId && { userId }) });
            const after = await read();
            const own = (it: { userId: string }) => it.userId === userId;
            const others = (it: { userId: string }) => it.userId !== userId;
            if (status === 409) expect(after).toEqual(now);
            else {
              expect(status).toBe(200);
              for (const noun of NOUNS) {
                const wanted = one.whole ? then[noun] : [...then[noun].filter(own), ...now[noun].filter(others)];
                const byId = (it: { id?: string; userId: string }) => it.id ?? it.userId;
                const sorted = (list: { userId: string }[]) => list.toSorted((a, b) => byId(a).localeCompare(byId(b)));
                if (one.whole) expect(after[noun]).toEqual(wanted);
                else expect(sorted(after[noun])).toEqual(sorted(wanted));
              }
            }
          }
          await note();
        }
        // What is on disk says the same.
        const last = await read();
        await server.close();
        server = await startInProcess({ config });
        expect(await read()).toEqual(last);
      } finally {
        await server.close();
      }
    }),
    { numRuns: runs(25) },
  );
});
