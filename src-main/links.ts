/** Links to pages of the console, from any program: `stagedoor://codes`, `stagedoor://login/<id>`. */

const LINK = /^stagedoor:\/\/(?:(codes|inbox)|login\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))\/?$/i;

/**
 * @param args of a launch, from whoever made the link. @returns the path of the page that the last link names; undefined
 * for any other link, which opens nothing.
 */
export const linkedPage = (args: readonly string[]): string | undefined => {
  const [, codes, login] = LINK.exec(args.findLast((arg) => /^stagedoor:/i.test(arg)) ?? "") ?? [];
  if (login !== undefined) return `/codes/${login.toLowerCase()}`;
  return codes === undefined ? undefined : "/codes";
};
