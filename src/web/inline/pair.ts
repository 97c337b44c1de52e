/** A range over two pictures moves the line between them. */

/** Listens for the life of the page: to be called once. */
export function movePairs(): void {
  document.addEventListener("input", ({ target }) => {
    const { parentElement, value } = target as HTMLInputElement;
    if (parentElement?.matches("[data-pair]")) parentElement.style.setProperty("--at", `${value}%`);
  });
}
