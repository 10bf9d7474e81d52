/** Checks that all indexes of a world agree with its lists. */
import { expect } from "vitest";
import { foldUsername } from "#contract/scalars.ts";
import { usernameField } from "#contract/service/strategies.ts";
import type { World } from "#domain/world.ts";
import { uuid } from "./records.ts";

/** Compares every index with a loop over the lists. */
export const checkLookUps = (world: World): void => {
  for (const one of world.apps) {
    expect(world.app(one.app.appId)).toBe(one);
    expect(world.appBySecret(one.app.secret)).toBe(one);
    for (const record of one.profiles) {
      expect(one.find("profiles", record.userId)).toBe(record);
      const username = record[usernameField(one.app)] ?? "";
      expect(one.profileByUsername(username.toUpperCase())).toBe(record);
    }
    for (const list of ["passcodes", "sessions", "connections"] as const) {
      for (const record of one[list]) expect(one.find(list, record.id)).toBe(record);
      for (let m = 0; m <= 4; m += 1) {
        expect(one.of(list, uuid(m))).toEqual([...one[list]].filter(({ userId }) => userId === uuid(m)));
      }
      const numbers = one[list].map(({ seq }) => seq);
      expect(numbers).toEqual([...new Set(numbers)].sort((x, y) => x - y));
    }
    expect(one.find("profiles", uuid(999))).toBeUndefined();
    const names = new Set(one.profiles.map((record) => foldUsername(record[usernameField(one.app)] ?? "")));
    for (let n = 0; n <= 12; n += 1) {
      if (!names.has(`+1${n}`)) expect(one.profileByUsername(`+1${n}`)).toBeUndefined();
    }
  }
};
