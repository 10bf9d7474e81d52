/** Where the console is shown. The desktop app says so in the User-Agent (src-main/index.ts): it adds no script to pages. */

/** Whether it is a window of the desktop app, installed or of `npm start`. */
export const IS_DESKTOP: boolean = / Electron\//.test(navigator.userAgent);

/** Whether it is a window of the installed app, whose user has no terminal: menus instead of commands. */
export const IS_INSTALLED: boolean = IS_DESKTOP && / Installed$/.test(navigator.userAgent);
