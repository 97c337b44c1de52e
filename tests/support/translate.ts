/** Translates a page as browsers do: texts are replaced by elements, immediately and whenever there are new texts. */
import type { Page } from "playwright-core";

/** Replaces texts by equal texts, except in a native list's options, so that a test still finds them. */
export const translatePage = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const translated = new WeakSet<Node>();
    const replace = (text: Text) => {
      const { parentElement } = text;
      const isUntranslated = text.data.trim() !== "" && !translated.has(text);
      if (
        !isUntranslated ||
        !parentElement ||
        parentElement.closest("script, style, [translate=no]")
      )
        return;
      const ending = parentElement.tagName === "OPTION" ? " (translated)" : "";
      const copy = document.createTextNode(text.data + ending);
      translated.add(copy);
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.append(copy);
      outer.append(inner);
      text.replaceWith(outer);
    };
    const replaceIn = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = root instanceof Text ? [root] : [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      texts.forEach(replace);
    };
    replaceIn(document.body);
    const options = { subtree: true, childList: true, characterData: true };
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        if (target instanceof Text) replace(target);
        addedNodes.forEach(replaceIn);
      }
    }).observe(document.body, options);
  });
