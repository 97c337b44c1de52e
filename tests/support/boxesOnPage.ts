/** Queries for tests of first screens: the positions of the bar, the announcement, the picture and the text. */
import type { Box } from "./facesOnPage.ts";

/** An element with text, and the text's color in bytes. */
export interface Written extends Box {
  readonly label: string;
  readonly color: [number, number, number];
}

/**
 * Runs in the page. `picture` is that of a first screen with a portrait; titles are measured without their leading.
 */
export function boxesOnPage() {
  const boxes = (selector: string): Written[] =>
    [...document.querySelectorAll<HTMLElement>(selector)]
      .filter((each) => each.checkVisibility())
      .map((each) => {
        const words = document.createRange();
        words.selectNodeContents(each);
        const isWords = each.textContent.trim() !== "" && !each.matches(".announcement p, .button");
        const across = isWords ? words.getBoundingClientRect() : each.getBoundingClientRect();
        const down = each.matches("h1") ? each.getBoundingClientRect() : across;
        const { color } = getComputedStyle(each);
        const channels = color.match(/[\d.]+/g)!.map(Number);
        const [red, green, blue] = color.startsWith("color(")
          ? channels.map((share) => 255 * share)
          : channels;
        return {
          label: each.textContent.trim() || each.className,
          left: across.left,
          right: across.right,
          top: down.top,
          bottom: down.bottom,
          color: [red!, green!, blue!],
        };
      });
  return {
    bar: boxes(".bar > .brand, .menu:not(:popover-open) > a, .menu-sections button"),
    announcement: boxes(".announcement p"),
    picture: boxes(".hero[data-figure] > .hero-picture")[0],
    below: boxes("main h1, .hero-subtitle, .tagline, .hero-lead"),
    button: boxes(".hero .hero-actions > :first-child"),
  };
}
