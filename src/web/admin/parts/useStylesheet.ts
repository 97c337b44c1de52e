/** Loads a stylesheet together with its component's code instead of with the dashboard. */
import { useInsertionEffect } from "react";

const adoptedSheets = new Set<string>();

/**
 * Adds a component's stylesheet to the page on first render. The text comes from an import `with { type: "text" }`.
 * The CSP allows such sheets, unlike style elements. They follow admin.css in no reliable order.
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
