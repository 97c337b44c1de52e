/** Style sheets that come with the code of a tab instead of with every page of the dashboard. */

/**
 * Adds a sheet to the page; called once, where the module that needs it is loaded. A sheet of its own
 * is what the page's policy takes, unlike style elements.
 */
export function adoptStyles(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}
