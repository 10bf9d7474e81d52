/**
 * The theme: ink or paper, hairlines, one accent. Mantine's variables are set from ours, so that its components match.
 */
import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  Fieldset,
  Group,
  Input,
  Kbd,
  Menu,
  MenuRadioItem,
  Modal,
  Stack,
} from "@mantine/core";

type Shades = readonly [string, string, string, string, string, string, string, string, string, string];
const AMBER: Shades = [
  "#fff6e6",
  "#fdf0de",
  "#f9d79f",
  "#f5c06a",
  "#f2a93b",
  "#e0922a",
  "#c97a10",
  "#b26b00",
  "#a66300",
  "#8a5200",
];
const INK: Shades = [
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

/** Mantine's theme. */
export const theme = createTheme({
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, monospace',
  headings: { fontWeight: "600" },
  colors: { amber: AMBER, dark: INK },
  primaryColor: "amber",
  primaryShade: { light: 8, dark: 4 },
  black: "#1b1d21",
  defaultRadius: 6,
  respectReducedMotion: true,
  cursorType: "pointer",
  breakpoints: { xs: "480px", sm: "700px", md: "1000px", lg: "1280px", xl: "1600px" },
  fontSizes: { xs: "12px", sm: "13px", md: "13px", lg: "15px", xl: "15px" },
  components: {
    Button: Button.extend({
      defaultProps: { variant: "default" },
      vars: () => ({ root: { "--button-height": "32px", "--button-padding-x": "12px" } }),
    }),
    Fieldset: Fieldset.extend({ defaultProps: { variant: "unstyled" } }),
    Group: Group.extend({ defaultProps: { gap: 8 } }),
    Stack: Stack.extend({ defaultProps: { gap: 12 } }),
    Kbd: Kbd.extend({ defaultProps: { size: "xs" } }),
    // Next to its button instead of in a portal, so that it belongs to a landmark.
    Menu: Menu.extend({
      defaultProps: {
        shadow: "none",
        position: "bottom-start",
        withinPortal: false,
        // A menu may only contain items; the first one can take the focus itself.
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 0 },
      },
    }),
    MenuRadioItem: MenuRadioItem.extend({ defaultProps: { closeMenuOnClick: true } }),
    // The page never scrolls, and Mantine's scroll lock would add a style element without a nonce.
    Modal: Modal.extend({
      defaultProps: {
        shadow: "none",
        lockScroll: false,
        overlayProps: { backgroundOpacity: 0.5 },
        transitionProps: { duration: 0 },
      },
    }),
    Input: Input.extend({ vars: () => ({ wrapper: { "--input-height": "32px", "--input-fz": "13px" } }) }),
  },
});

const dark = {
  "--sd-bg": INK[8],
  "--sd-panel": INK[7],
  "--sd-raised": INK[6],
  "--sd-line": INK[5],
  "--sd-text": INK[0],
  "--sd-dim": INK[2],
  "--sd-faint": "#6f7785",
  "--sd-accent": AMBER[4],
  "--sd-accent-text": AMBER[4],
  "--sd-on-accent": "#1c1303",
  "--sd-tint": "#2e2921",
  "--sd-ok": "#4cc38a",
  "--sd-bad": "#f2555a",
  "--sd-bad-text": "#ff8a8e",
  "--sd-info": "#6ea8fe",
};

const light: typeof dark = {
  "--sd-bg": "#f6f6f4",
  "--sd-panel": "#ffffff",
  "--sd-raised": "#f1f1ee",
  "--sd-line": "#e2e2dd",
  "--sd-text": "#1b1d21",
  "--sd-dim": "#5c6270",
  "--sd-faint": "#7d828d",
  "--sd-accent": AMBER[8],
  "--sd-accent-text": AMBER[9],
  "--sd-on-accent": "#ffffff",
  "--sd-tint": AMBER[1],
  "--sd-ok": "#18794e",
  "--sd-bad": "#c62a2f",
  "--sd-bad-text": "#b3262b",
  "--sd-info": "#2563c9",
};

const mantineFromOurs = {
  "--mantine-color-body": "var(--sd-panel)",
  "--mantine-color-text": "var(--sd-text)",
  "--mantine-color-dimmed": "var(--sd-dim)",
  "--mantine-color-placeholder": "var(--sd-dim)",
  "--mantine-color-default": "var(--sd-raised)",
  "--mantine-color-default-hover": "var(--sd-line)",
  "--mantine-color-default-color": "var(--sd-text)",
  "--mantine-color-default-border": "var(--sd-line)",
  "--mantine-color-error": "var(--sd-bad-text)",
};

/** Our variables for both themes, and Mantine's in terms of ours. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  dark: { ...dark, ...mantineFromOurs },
  light: { ...light, ...mantineFromOurs },
});
