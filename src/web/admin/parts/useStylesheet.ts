/** Loads a stylesheet with its component instead of with the dashboard. */
import { useInsertionEffect } from "react";

const adoptedSheets = new Set<string>();

/**
 * Loads `css`, the text of an import `with { type: "text" }`. CSP allows constructed sheets, but no style elements. The
 * order of the sheets after admin.css isn't defined.
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
