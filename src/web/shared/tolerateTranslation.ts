/** Lets a browser translate the page while React changes it. */

/**
 * A translator replaces texts by <font> elements. React would fail when it next moves or removes such a text, and the
 * whole page with it (https://github.com/facebook/react/issues/11538).
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
