/** The document inside a preview's frame: a page like a visitor's, in the styles being edited. */
import { useEffect } from "react";
import { familiesOf, fontStylesheetHref } from "../../fontLinks.ts";
import { useShell } from "../../shell.ts";
import { themeProperties } from "../../theme.ts";
import { usePreviewStyles } from "./usePreviewStyles.ts";

/** Makes the frame's document a standards-mode page and answers where sections go. */
export function openPage(frame: HTMLIFrameElement, screen: number): HTMLElement {
  const document = frame.contentDocument!;
  document.open();
  document.write(
    '<!doctype html><html lang="en" data-theme="dark"><head></head><body><main class="page"></main></body></html>',
  );
  document.close();
  document.body.style.overflow = "hidden";
  // The frame is as high as its content: a body as high as the frame would never shrink.
  document.body.style.minHeight = "0";
  const page = document.querySelector("main")!;
  page.style.setProperty("--screen", `${screen}px`);
  return page;
}

/** Gives the page a style sheet of the site's, fonts and theme, and `css` after them. */
export function usePageStyles(
  page: HTMLElement | null,
  sheet: string,
  css: string | undefined,
): void {
  const { fontProvider } = useShell();
  const styles = usePreviewStyles();
  const families = familiesOf(styles).join("|");
  useEffect(() => {
    if (!page) return;
    const hrefs = families.split("|").map((family) => fontStylesheetHref(family, fontProvider));
    const { head } = page.ownerDocument;
    for (const href of [sheet, ...hrefs]) linkOnce(head, href);
  }, [page, sheet, families, fontProvider]);
  useEffect(() => {
    const root = page?.ownerDocument.documentElement;
    for (const [name, value] of Object.entries(themeProperties(styles)))
      root?.style.setProperty(name, value);
  }, [page, styles]);
  useEffect(() => {
    const view = page?.ownerDocument.defaultView as (Window & typeof globalThis) | null | undefined;
    if (!page || !view || css === undefined) return;
    const own = new view.CSSStyleSheet();
    own.replaceSync(css);
    page.ownerDocument.adoptedStyleSheets = [own];
  }, [page, css]);
}

function linkOnce(head: HTMLElement, href: string): void {
  if ([...head.querySelectorAll("link")].some((link) => link.getAttribute("href") === href)) return;
  const link = head.ownerDocument.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  head.append(link);
}
