/** Stylesheets loaded with a component's code rather than with the dashboard. */
import { useInsertionEffect } from "react";

const adoptedSheets = new Set<string>();

/**
 * Adds a component's stylesheet to the page on first render: `useSheet(css)`, with the text imported `with { type:
 * "text" }`. CSP allows these, unlike style elements. They come after admin.css, in no reliable order.
 */
export function useStylesheet(css: string): void {
  useInsertionEffect(() => {
    if (adoptedSheets.has(css)) return;
    adoptedSheets.add(css);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  }, [css]);
}
