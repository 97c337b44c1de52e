/** A range input over two pictures moves the divider between them. */

export function handleSliderInput(): void {
  document.addEventListener("input", ({ target }) => {
    const { parentElement, value } = target as HTMLInputElement;
    if (parentElement?.matches("[data-pair]")) parentElement.style.setProperty("--at", `${value}%`);
  });
}
