/** What the window shows while the server does not respond; Chromium's own page for that is white and has no name. */

const STYLE = [
  ":root{color-scheme:light dark;font:15px/1.6 system-ui,sans-serif}",
  "body{margin:0;min-height:100vh;display:grid;place-content:center;text-align:center}",
  "h1{margin:0;font-size:1.25rem}",
  "p{margin:.5rem 0 0;opacity:.75}",
].join("");

/** @param origin the console's. @returns a page that loads nothing. */
export const waitingPage = (origin: string): string => {
  const head = `<!doctype html><meta charset="utf-8"><title>Stagedoor</title><style>${STYLE}</style>`;
  const body = `<h1>Stagedoor does not respond</h1><p>Nothing responds at ${origin}. This window reconnects by itself.</p>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(head + body)}`;
};
