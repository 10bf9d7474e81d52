/**
 * Imported before anything else: zod, which only some screens load, reads this when it is loaded. It would otherwise compile
 * schemas with `new Function`, which the content security policy of the console forbids (and reports).
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

export {};
