/** Pages and escaping for HTML and XML. */

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** @returns text escaped for HTML and XML, including attributes. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** @param sources what the page may load, as policy directives. @param frames the origins that may frame it. */
export const page = (text: string, sources: string, frames: string) => ({
  status: 200 as const,
  text,
  contentType: "text/html; charset=utf-8",
  headers: {
    "Content-Security-Policy": `default-src 'none'; ${sources}; base-uri 'none'; form-action 'none'; frame-ancestors ${frames}`,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  },
});
