/** Why a window could not open: a sentence with its remedy, from what Electron printed; never a line of its log. */

/** The first that fits is the cause; Chromium then prints others, which are consequences. @type {[RegExp, (found: RegExpExecArray) => string][]} */
const REASONS = [
  [
    /SUID sandbox helper|No usable sandbox|unprivileged_userns|user namespace|Failed to move to new namespace/i,
    () =>
      "this system does not let Chromium's sandbox use user namespaces, as Ubuntu 23.10 and newer; to allow them: " +
      "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
  ],
  [/Running as root without --no-sandbox/, () => "Electron does not run as root; start Stagedoor as an ordinary user"],
  [
    /Missing X server|cannot open display|Unable to open X display|Failed to connect to Wayland|ozone_platform_x11/i,
    () => "the display cannot be opened; check DISPLAY, or start Stagedoor in a terminal of the desktop",
  ],
  [
    /error while loading shared libraries: ([\w.+-]+)/,
    ([, library]) =>
      `the library ${library} is missing; on Debian and Ubuntu: sudo apt-get install libnss3 libasound2 libgbm1 libgtk-3-0`,
  ],
];

/**
 * @param {string} output what Electron printed to stderr, from its first line
 * @param {number | null} status its exit status; null after a signal
 * @returns {string} a sentence without its full stop
 */
export const whyNoWindow = (output, status) => {
  for (const [pattern, sentence] of REASONS) {
    const found = pattern.exec(output);
    if (found !== null) return sentence(found);
  }
  return status === null ? "Electron crashed" : `Electron ended with status ${status}`;
};
