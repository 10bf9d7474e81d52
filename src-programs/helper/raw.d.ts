/** A file as text, put in by Vite. */
declare module "*?raw" {
  const text: string;

  // biome-ignore lint/style/noDefaultExport: Vite exports it so.
  export { text as default };
}
