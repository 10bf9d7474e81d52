/**
 * Must be imported first: zod, which only some screens load, reads this setting when it is loaded. Otherwise it would
 * compile schemas with `new Function`, which the console's Content Security Policy forbids (and reports).
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

export {};
