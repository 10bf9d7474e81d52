import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { createQueryClient } from "./api/queries.ts";
import { Frame } from "./shell/frame.tsx";
import { cssVariables, theme } from "./theme.ts";

const queryClient = createQueryClient();
const styleNonce = (): string => document.querySelector('meta[name="csp-nonce"]')?.getAttribute("content") ?? "";

/** The console. */
export const App = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={styleNonce}
  >
    <Notifications position="bottom-right" />
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  </MantineProvider>
);
