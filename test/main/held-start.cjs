/**
 * Loaded into Electron before the shell: holds its `ready` back until Playwright is connected and calls `__playwright_run`.
 * A page that opens while Playwright connects is one that it may never see. Playwright holds `ready` only in the Electron
 * that it finds by itself, and there it adds switches to Chromium, which change what is tested.
 */
const { app } = require("electron");

const started = app.whenReady();
const emit = app.emit.bind(app);
let isReady = false;
let args = [];
const held = Promise.withResolvers();

app.emit = (event, ...given) => {
  if (event !== "ready") return emit(event, ...given);
  args = given;
  return app.listenerCount("ready") > 0;
};
app.isReady = () => isReady;
app.whenReady = () => held.promise;
globalThis.__playwright_run = async () => {
  await started;
  isReady = true;
  held.resolve();
  emit("ready", ...args);
};
