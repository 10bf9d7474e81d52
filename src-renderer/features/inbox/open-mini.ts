/** Opens the newest code in a small window of its own; the desktop shell keeps it above all others. @param href its page. */
export const openMini = (href: string): void => {
  window.open(href, "stagedoor-mini", "popup,width=380,height=230");
};
