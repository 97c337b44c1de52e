/** Style sheets that come with the code of a component instead of with every page of the dashboard. */
import { useInsertionEffect } from "react";

const adopted = new Set<string>();

/**
 * Adds a component's style sheet to the page when the component first appears: `useSheet(css)`, the
 * text being imported `with { type: "text" }`. The page's policy takes such sheets, unlike style
 * elements. Sheets stand after admin.css, in no order that a rule could rely on.
 */
export function useSheet(css: string): void {
  useInsertionEffect(() => {
    if (adopted.has(css)) return;
    adopted.add(css);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  }, [css]);
}
