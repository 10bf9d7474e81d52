/** English, and with it the names of all texts: the compiler holds the other languages to them (CONTRACT 17). */
import { frozen } from "../frozen.ts";

/** The texts of the demo app. What is in braces is filled in. */
export const DEMO_TEXTS = frozen({
  signInTitle: "Sign in or sign up",
  phone: "Phone number",
  email: "Email address",
  name: "Name (for a new account, optional)",
  continue: "Continue",
  enterPhone: "Enter your phone number.",
  enterEmail: "Enter your email address.",
  checkPhone: "Enter a phone number with its country code, such as {example}.",
  checkEmail: "Enter an email address such as {example}.",
  codeTitle: "Enter the code",
  codeSent: "We sent a {digits}-digit code to {to}.",
  code: "Code",
  enterCode: "Enter the {digits}-digit code.",
  signIn: "Sign in",
  sendAgain: "Send again",
  sendAgainIn: "Send again in {time}",
  sentAgain: "A new code was sent.",
  change: "Change details",
  signedUpTitle: "Account created",
  signedInTitle: "Signed in",
  timeLeft: "Time left",
  showToken: "Show token",
  hideToken: "Hide token",
  signOut: "Sign out",
  signedOut: "Signed out.",
  sessionOver: "Your session has expired. Sign in again.",
  wrongCode: "Wrong code. Try again.",
  codeNotSent: "No code was sent yet. Request one.",
  codeReplaced: "A newer code was sent. Enter that one.",
  codeExpired: "This code has expired. Request a new one.",
  codeUsed: "This code was already used. Request a new one.",
  locked: "Locked after too many wrong attempts. Request a new code.",
  unknownUser: "There is no account with these details.",
  signUpClosed: "New sign-ups are closed.",
  signInFailed: "Sign-in failed. Check the code, or request a new one.",
  tooMany: "Too many requests. Try again in {time}.",
  checkInput: "Check what you entered: {detail}.",
  failed: "Something went wrong ({status}). Try again.",
  noConnection: "No connection. Check the network and try again.",
  noConnectionTitle: "Not connected",
  tryAgain: "Try again",
  loading: "Loading …",
  chooseAppTitle: "Choose an app",
  appId: "App id",
  enterAppId: "Enter the id of an app, such as demo-app.",
  open: "Open",
  unknownApp: "This app id is unknown. Check the link.",
} as const);

/** The texts of the page at `/emulator/hello`. */
const HELLO_TEXTS = frozen({
  title: "Connected to Stagedoor",
  where: "{version} on {machine}",
  address: "Address",
  connection: "Connection",
  cameOverHttps: "This page came over https.",
  httpsOff: "https is off. Turn it on in Stagedoor, on the Connect screen.",
  tryHttps: "Open this page over https to check the certificate.",
  checking: "Checking https …",
  works: "https works: this device trusts the certificate.",
  fails: "https does not work yet: this device does not trust the certificate, or cannot reach the port.",
  uncovered: "The certificate cannot cover this address, which is not private. Use a local name or address, or http.",
  openDemo: "Open demo app",
  openOverHttps: "Open this page over https",
  certificate: "Certificate",
  noCertificate: "There is no certificate yet. Turn on TLS in Stagedoor, on the Connect screen, and reload this page.",
  fingerprint: "SHA-256 fingerprint. Compare it with the one on the Connect screen:",
  apple: "iPhone or iPad",
  computer: "Computer",
  downloadProfile: "Download profile",
  downloadCertificate: "Download certificate",
  apple1: "Open this page in Safari, tap Download profile and allow it.",
  apple2: "In Settings, open General, then VPN & Device Management. Tap the Stagedoor CA profile and install it.",
  apple3: "In Settings, open General, then About, then Certificate Trust Settings. Turn on the Stagedoor CA.",
  android1: "Tap Download certificate.",
  android2: "In Settings, search for “CA certificate”. Choose Install anyway, then the file ca.crt.",
  android3:
    "Browsers trust it now. An app trusts it only if the network security config of its debug build allows user certificates.",
  computer1: "Download the certificate.",
  computer2:
    "Import it into the browser or the system as a trusted root. For one command only: curl --cacert takes the PEM of Stagedoor’s Connect screen.",
} as const);

/** @see DEMO_TEXTS */
export type DemoText = keyof typeof DEMO_TEXTS;

/** All texts of a language. */
export interface Texts {
  readonly demo: Readonly<Record<DemoText, string>>;
  readonly hello: Readonly<Record<keyof typeof HELLO_TEXTS, string>>;
}

export const en = frozen<Texts>({ demo: DEMO_TEXTS, hello: HELLO_TEXTS });
