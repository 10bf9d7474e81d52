import "./api/no-eval.ts";
import "./api/trusted-types.ts";
import "./styles/mantine.ts";
import "./styles/fonts.css";
import "./styles/global.css";
import "./styles/mantine.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

/** How long the page waits for its typefaces, in milliseconds: texts would move when they come later. */
const FONTS_MS = 3_000;
const fonts = ['13px "Inter Variable"', '13px "JetBrains Mono Variable"'].map((font) => document.fonts.load(font));
await Promise.race([Promise.allSettled(fonts), new Promise((resolve) => setTimeout(resolve, FONTS_MS))]);

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
