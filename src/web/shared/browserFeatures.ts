/** Keeps the page's code from breaking two features of browsers: translating a page, and composing words. */

/**
 * Lets a browser translate the page while React changes it. Translators replace texts by <font> elements, and React
 * would fail when it moves or removes such a text (https://github.com/facebook/react/issues/11538).
 */
export function tolerateTranslation(): void {
  const { insertBefore, removeChild } = Node.prototype;
  Node.prototype.removeChild = function (child) {
    return child.parentNode === this ? (removeChild.call(this, child) as typeof child) : child;
  };
  Node.prototype.insertBefore = function (node, next) {
    return insertBefore.call(this, node, next?.parentNode === this ? next : null) as typeof node;
  };
}

/** Hides keys from later listeners while they compose a Japanese, Chinese or Korean word. Call it first. */
export function ignoreKeysWhileComposing(): void {
  window.addEventListener(
    "keydown",
    (event) => {
      // Safari ends a composition before it reports the key that ended it. Only `keyCode` 229 identifies this key.
      if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
    },
    true,
  );
}
