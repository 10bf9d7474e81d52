// Applies the chosen theme before the first paint: the page's own script runs too late, and inline scripts are
// forbidden by its policy. The key is Mantine's.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage can be blocked: then use the system's theme.
  }
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
