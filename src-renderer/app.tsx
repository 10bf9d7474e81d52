import { MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, lazy, Suspense } from "react";
import { cache } from "./api/cache.ts";
import { Frame } from "./shell/frame.tsx";
import { Toasts } from "./shell/toasts.tsx";
import { cssVariables, theme } from "./theme.ts";
import { useAddress } from "./ui/address.ts";

const MiniPage = lazy(async () => ({ default: (await import("./shell/mini-page.tsx")).MiniPage }));
const PresentPage = lazy(async () => ({
  default: (await import("./places/present/present-page.tsx")).PresentPage,
}));

const styleNonce = (): string => document.querySelector('meta[name="csp-nonce"]')?.getAttribute("content") ?? "";

const PAGES: ReadonlyMap<string, ComponentType> = new Map<string, ComponentType>([
  ["mini", MiniPage],
  ["stage", PresentPage],
]);

const Page = () => {
  const Alone = PAGES.get(useAddress().address.screen ?? "");
  return Alone === undefined ? (
    <Frame />
  ) : (
    <Suspense>
      <Alone />
    </Suspense>
  );
};

/** The console. */
export const App = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={styleNonce}
  >
    <Toasts />
    <QueryClientProvider client={cache}>
      <ModalsProvider>
        <Page />
      </ModalsProvider>
    </QueryClientProvider>
  </MantineProvider>
);
