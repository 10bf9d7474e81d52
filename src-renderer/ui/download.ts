/** Downloads a file. @param name of it. @param content JSON. */
export const download = (name: string, content: Blob | string): void => {
  const url = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has read the content.
  setTimeout(() => URL.revokeObjectURL(url), 0);
};
