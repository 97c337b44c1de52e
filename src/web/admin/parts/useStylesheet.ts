/** Loads a component's stylesheet with the component, so that the dashboard starts with less CSS. */
import { useInsertionEffect } from "react";

const adoptedSheets = new Set<string>();

/**
 * Adds the text of a stylesheet (imported `with { type: "text" }`) by script, since CSP forbids style elements. All
 * such sheets come after admin.css, in no defined order.
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
