/** `stagedoor licences`: the licences of the program and of everything in it. */

import { CommandError, type Io } from "#server/plumbing/io.ts";
import { readProgramFile } from "#server/program-files.ts";

/** Prints them, or with `sbom` the bill of materials (CycloneDX). @returns 0. @throws CommandError if it is not built. */
export const licences = async (io: Io, { sbom }: { readonly sbom?: boolean }): Promise<number> => {
  const names = sbom ? ["dist/sbom.cdx.json"] : ["LICENSE", "dist/THIRD-PARTY-LICENSES.txt"];
  for (const name of names) {
    const bytes = readProgramFile(name);
    if (bytes === undefined) throw new CommandError(`${name} is missing: run npm run build.`);
    io.out(`${bytes.toString().trimEnd()}\n`);
  }
  return 0;
};
