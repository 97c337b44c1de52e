/** A range input over two pictures moves the line between them. */

/** Adds permanent listeners: call it once. */
export function handlePairMoves(): void {
  document.addEventListener("input", ({ target }) => {
    const { parentElement, value } = target as HTMLInputElement;
    if (parentElement?.matches("[data-pair]")) parentElement.style.setProperty("--at", `${value}%`);
  });
}
