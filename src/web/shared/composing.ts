/** Keys that a person presses to write a word, not to use the page. */

/**
 * Hides keys from the page while a word is being composed, in Japanese, Chinese or Korean: they choose among the
 * words offered. Call it before anything else listens; the browser's own handling of the keys is unchanged.
 */
export function ignoreKeysWhileComposing(): void {
  window.addEventListener(
    "keydown",
    (event) => {
      // Safari ends a composition before the key that does it, which then has this code and nothing else.
      if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
    },
    true,
  );
}
