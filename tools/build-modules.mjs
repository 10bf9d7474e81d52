/**
 * Builds the modules that tests import, `stagedoor/client` and the frameworks: ES modules and types file by file with
 * the compiler, and CommonJS bundles next to them.
 */
import { spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * @param {string} project its tsconfig.build.json
 * @param {string} folder for the output
 */
const compile = (project, folder) => {
  const tsc = [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", resolve(ROOT, project), "--outDir", folder];
  const { status } = spawnSync(process.execPath, tsc, { stdio: "inherit" });
  if (status !== 0) throw new Error(`${dirname(project)} cannot be built.`);
};

/**
 * Users have neither the contract nor zod: for them, its types are plain text.
 *
 * @param {string} folder for a copy of the client with them
 */
const writeForUsers = async (folder) => {
  const source = join(ROOT, "src-client");
  await cp(source, folder, { recursive: true, filter: (path) => !path.startsWith(join(source, "frameworks")) });
  const { runnerImport } = await import("vite");
  /** @type {{ module: typeof import("./documents/client-types.ts") }} */
  const { module } = await runnerImport(join(ROOT, "tools/documents/client-types.ts"), {
    root: ROOT,
    configFile: false,
    logLevel: "error",
  });
  await writeFile(join(folder, "records.ts"), module.clientTypesText());
};

/**
 * The compiler rewrites the names of imported files in modules, but not in declarations. CommonJS gets a copy of each
 * declaration, because TypeScript treats `.d.ts` in this package as the types of ES modules.
 *
 * @param {string} folder
 */
const finishTypes = async (folder) => {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".d.ts"))) {
    const text = await readFile(join(folder, name), "utf8");
    /** @param {string} ending */
    const withImports = (ending) => text.replaceAll(/(from |import\()"(\.\/[\w-]+)\.ts"/g, `$1"$2.${ending}"`);
    await writeFile(join(folder, name), withImports("js"));
    await writeFile(join(folder, name.replace(/\.d\.ts$/, ".d.cts")), withImports("cjs"));
  }
};

/**
 * @param {Record<string, string>} input entry → file
 * @param {string} folder for the bundles, `<entry>.cjs`
 * @param {import("vite").Plugin[]} plugins
 */
const bundleCommonJs = async (input, folder, plugins) => {
  const { build } = await import("vite");
  await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: "warn",
    plugins,
    define: { "import.meta.url": "moduleUrl" },
    build: {
      target: "node20",
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      reportCompressedSize: false,
      lib: { entry: input, formats: ["cjs"], fileName: (_, name) => `${name}.cjs` },
      rolldownOptions: {
        external: /^(node:|stagedoor\/|@playwright\/test$)/,
        output: {
          chunkFileNames: "[name].cjs",
          exports: "named",
          // Bundlers for browsers cannot process this, so only the module that needs it gets it.
          intro: ({ name }) =>
            name === "jest" ? 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' : "",
        },
      },
    },
  });
};

/**
 * @param {string} to
 * @param {import("vite").Plugin[]} plugins
 */
export const buildClient = async (to, plugins) => {
  const folder = join(to, "client");
  await mkdir(folder, { recursive: true });
  // In the checkout, so that the configuration that its own extends is found.
  const copy = join(ROOT, `node_modules/.cache/client-${process.pid}`);
  try {
    await writeForUsers(copy);
    await writeFile(
      join(copy, "tsconfig.build.json"),
      JSON.stringify({
        extends: join(ROOT, "src-client/tsconfig.build.json"),
        compilerOptions: { rootDir: "." },
        include: ["*.ts"],
      }),
    );
    compile(join(copy, "tsconfig.build.json"), folder);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
  await finishTypes(folder);
  await bundleCommonJs({ index: join(ROOT, "src-client/index.ts") }, folder, plugins);
};

/**
 * @param {string} to
 * @param {import("vite").Plugin[]} plugins
 */
export const buildFrameworks = async (to, plugins) => {
  const folder = join(to, "frameworks");
  await mkdir(folder, { recursive: true });
  compile("src-client/frameworks/tsconfig.build.json", folder);
  await finishTypes(folder);
  const entry = (/** @type {string} */ name) => join(ROOT, `src-client/frameworks/${name}.ts`);
  await bundleCommonJs(
    Object.fromEntries(["playwright", "vitest", "jest"].map((name) => [name, entry(name)])),
    folder,
    plugins,
  );
};
