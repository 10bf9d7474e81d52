import { MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { STAGE_NOTES } from "#contract/screens.ts";
import { cache } from "./api/cache.ts";
import { Frame } from "./shell/frame.tsx";
import { cssVariables, theme } from "./theme.ts";
import { useAddress } from "./ui/address.ts";

const MiniPage = lazy(async () => ({ default: (await import("./shell/mini-page.tsx")).MiniPage }));

const StagePage = lazy(async () => ({ default: (await import("./features/stage/stage-page.tsx")).StagePage }));

const NotesPage = lazy(async () => ({ default: (await import("./features/stage/notes-page.tsx")).NotesPage }));

const styleNonce = (): string => document.querySelector('meta[name="csp-nonce"]')?.getAttribute("content") ?? "";

const Page = () => {
  const { screen, id } = useAddress().address;
  if (screen !== "mini" && screen !== "stage") return <Frame />;
  const StageOrNotes = id === STAGE_NOTES ? NotesPage : StagePage;
  return <Suspense>{screen === "mini" ? <MiniPage /> : <StageOrNotes />}</Suspense>;
};

/** The console. */
export const App = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={styleNonce}
  >
    <Notifications position="bottom-right" />
    <QueryClientProvider client={cache}>
      <ModalsProvider>
        <Page />
      </ModalsProvider>
    </QueryClientProvider>
  </MantineProvider>
);
