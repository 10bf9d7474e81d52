/** The theme: ink or paper, hairlines, one accent. Mantine's variables come from ours, so that its parts match. */
import { type CSSVariablesResolver, colorsTuple, createTheme, type MantineColorsTuple } from "@mantine/core";

const INK: MantineColorsTuple = [
  "#eceef2",
  "#c9ced7",
  "#9aa2b0",
  "#868e9c",
  "#3a414d",
  "#262b34",
  "#1c2027",
  "#16191f",
  "#101216",
  "#0b0d10",
];

const INPUT = {
  "--input-height": "32px",
  "--input-fz": "13px",
  "--input-bd": "var(--sd-line)",
  "--input-bg": "var(--sd-bg)",
};

/** Mantine's theme. */
export const theme = createTheme({
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, monospace',
  headings: { fontWeight: "600" },
  colors: { amber: colorsTuple("#a66300"), dark: INK },
  primaryColor: "amber",
  primaryShade: { light: 8, dark: 4 },
  black: "#1b1d21",
  defaultRadius: 6,
  respectReducedMotion: true,
  cursorType: "pointer",
  breakpoints: { xs: "480px", sm: "700px", md: "1000px", lg: "1280px", xl: "1600px" },
  fontSizes: { xs: "12px", sm: "13px", md: "13px", lg: "15px", xl: "15px" },
  components: {
    Button: {
      defaultProps: { variant: "default" },
      vars: () => ({ root: { "--button-height": "32px", "--button-padding-x": "12px" } }),
    },
    Group: { defaultProps: { gap: 8 } },
    Stack: { defaultProps: { gap: 12 } },
    Kbd: { defaultProps: { size: "xs" } },
    // Next to its button instead of in a portal, so that it belongs to a landmark.
    Menu: {
      defaultProps: {
        shadow: "none",
        position: "bottom-start",
        withinPortal: false,
        // None is cut or out of reach, however low the window is.
        middlewares: { flip: true, shift: { crossAxis: true, padding: 8 } },
        // A menu may only contain items; the first one can take the focus itself.
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 0 },
      },
    },
    MenuRadioItem: { defaultProps: { closeMenuOnClick: true } },
    // The page never scrolls, and Mantine's scroll lock would add a style element without a nonce.
    Modal: {
      defaultProps: {
        shadow: "none",
        lockScroll: false,
        overlayProps: { backgroundOpacity: 0.5 },
        transitionProps: { duration: 0 },
      },
    },
    Input: { vars: () => ({ wrapper: INPUT }) },
    Paper: { vars: () => ({ root: { "--paper-border-color": "var(--sd-line)" } }) },
  },
});

/** Our colors: in the dark theme, in the light one. */
const COLORS: Readonly<Record<string, readonly [dark: string, light: string]>> = {
  "--sd-bg": [INK[8], "#f6f6f4"],
  "--sd-panel": [INK[7], "#ffffff"],
  "--sd-raised": [INK[6], "#f1f1ee"],
  "--sd-line": [INK[5], "#e2e2dd"],
  "--sd-text": [INK[0], "#1b1d21"],
  "--sd-dim": [INK[2], "#5c6270"],
  "--sd-faint": ["#6f7785", "#7d828d"],
  "--sd-accent": ["#f2a93b", "#a66300"],
  "--sd-accent-text": ["#f2a93b", "#8a5200"],
  "--sd-on-accent": ["#1c1303", "#ffffff"],
  "--sd-tint": ["#2e2921", "#fdf0de"],
  "--sd-ok": ["#4cc38a", "#18794e"],
  "--sd-bad": ["#f2555a", "#c62a2f"],
  "--sd-bad-text": ["#ff8a8e", "#b3262b"],
  "--sd-info": ["#6ea8fe", "#2563c9"],
};

const MANTINE_FROM_OURS = {
  "--mantine-color-body": "var(--sd-panel)",
  "--mantine-color-text": "var(--sd-text)",
  "--mantine-color-dimmed": "var(--sd-dim)",
  "--mantine-color-placeholder": "var(--sd-dim)",
  "--mantine-color-default": "var(--sd-raised)",
  "--mantine-color-default-hover": "var(--sd-line)",
  "--mantine-color-default-color": "var(--sd-text)",
  "--mantine-color-default-border": "var(--sd-line)",
  "--mantine-color-error": "var(--sd-bad-text)",
  "--mantine-color-amber-filled": "var(--sd-accent)",
};

const ofTheme = (at: 0 | 1): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(COLORS).map(([name, colors]) => [name, colors[at]])),
  ...MANTINE_FROM_OURS,
});

/** Our variables for both themes, and Mantine's in terms of ours. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, dark: ofTheme(0), light: ofTheme(1) });
