import "./api/no-eval.ts";
import "./api/trusted-types.ts";
import "./styles/mantine.ts";
import "./styles/fonts.css";
import "./styles/global.css";
import "./styles/mantine.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
