/** Keys that a person presses to write a word, not to use the page. */

const KEYS = /^(?:Enter|Escape|Arrow)/;

/** Safari ends a composition before the key that does it, which then has the code 229 and nothing else. */
const isComposing = ({ key, isComposing, keyCode }: KeyboardEvent) =>
  KEYS.test(key) && (isComposing || keyCode === 229);

/**
 * Hides these keys from the page while a word is being composed, in Japanese, Chinese or Korean: they choose among the
 * words offered. Call it before anything else listens; the browser's own handling of the key stays.
 */
export function ignoreComposing(): void {
  window.addEventListener(
    "keydown",
    (event) => isComposing(event) && event.stopImmediatePropagation(),
    {
      capture: true,
    },
  );
}
