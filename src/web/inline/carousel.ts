/** A row of cards that scrolls by touch, wheel and keys, and by arrows and bars that wrap around. */
import { getScrollBehavior } from "./scrollBehavior.ts";

/**
 * For each row, the card to which it is being scrolled. The next press counts from this card. A busy device may start
 * to scroll late, so the entry lasts until arrival or the visitor's input.
 */
const scrollTargets = new WeakMap<Element, Element>();

const findRow = ({ target }: Event) =>
  target instanceof Element ? target.closest(".posters") : null;

/** Handles all rows, including those added later. Call it once: two listeners would scroll by two cards. */
export function handleCarousels(): void {
  document.addEventListener("click", handlePress);
  // Scroll events don't bubble.
  document.addEventListener("scroll", (event) => updateRow(findRow(event)), { capture: true });
  document.addEventListener("scrollend", (event) => finishScroll(findRow(event)), {
    capture: true,
  });
  for (const inputEvent of ["pointerdown", "wheel", "keydown", "focusin"])
    document.addEventListener(
      inputEvent,
      (event) => {
        const row = findRow(event);
        if (row) scrollTargets.delete(row);
      },
      { passive: true },
    );
}

function handlePress({ target }: Event): void {
  const button = (target as Element).closest<HTMLElement>(".carousel-controls button");
  const controls = button?.closest(".carousel-controls");
  const row = controls?.parentElement?.querySelector(".posters");
  if (!button || !controls || !row) return;
  const bars = findBars(controls);
  const barIndex = bars.indexOf(button);
  const step = button.matches("[data-to=previous]") ? -1 : 1;
  const targetIndex = barIndex >= 0 ? barIndex : findActiveBar(bars) + step;
  const wrappedIndex = (targetIndex + bars.length) % bars.length;
  const card = row.children[wrappedIndex];
  if (!card) return;
  scrollTargets.set(row, card);
  highlightBar(row, wrappedIndex);
  row.scrollTo({ left: computeScrollOffset(row, card), behavior: getScrollBehavior() });
}

function updateRow(row: Element | null): void {
  if (!row) return;
  const target = scrollTargets.get(row);
  if (!target) highlightBar(row, findFrontCardIndex(row));
  else if (hasReached(row, target)) scrollTargets.delete(row);
}

/** Deletes a row's target once it is the front card, even if the row has snapped slightly beside it. */
function finishScroll(row: Element | null): void {
  if (row && row.children[findFrontCardIndex(row)] === scrollTargets.get(row))
    scrollTargets.delete(row);
}

const findBars = (controls: Element) => [
  ...controls.querySelectorAll<HTMLElement>(".carousel-bars > button"),
];

const findActiveBar = (bars: readonly Element[]) =>
  bars.findIndex((bar) => bar.hasAttribute("aria-current"));

/** Marks a card's bar, and scrolls it to the center of the bars if they overflow. */
function highlightBar(row: Element, index: number): void {
  const controls = row.parentElement?.querySelector(".carousel-controls");
  if (!controls) return;
  const bars = findBars(controls);
  if (findActiveBar(bars) === index) return;
  for (const [barIndex, bar] of bars.entries())
    if (barIndex === index) bar.setAttribute("aria-current", "true");
    else bar.removeAttribute("aria-current");
  const bar = bars[index];
  const barsContainer = bar?.parentElement;
  if (barsContainer)
    barsContainer.scrollLeft = bar.offsetLeft + bar.offsetWidth / 2 - barsContainer.clientWidth / 2;
}

function hasReached(row: Element, card: Element): boolean {
  const left = Math.min(computeScrollOffset(row, card), row.scrollWidth - row.clientWidth);
  return Math.abs(row.scrollLeft - left) < 2;
}

function findFrontCardIndex(row: Element): number {
  const maxScroll = row.scrollWidth - row.clientWidth;
  if (maxScroll > 0 && row.scrollLeft >= maxScroll - 2) return row.children.length - 1;
  const distances = [...row.children].map((card) =>
    Math.abs(computeScrollOffset(row, card) - row.scrollLeft),
  );
  return distances.indexOf(Math.min(...distances));
}

/** Returns the scroll position that puts a card first. For the last cards, it is beyond the row's end. */
function computeScrollOffset(row: Element, card: Element): number {
  const firstCard = row.children[0] as HTMLElement;
  return (card as HTMLElement).offsetLeft - firstCard.offsetLeft;
}
