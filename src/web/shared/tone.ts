/**
 * The filter behind "one tone": pictures in three tones of the theme, its shadow, middle and light. Their
 * brightness says how much of the middle covers the shadow, and of the light the middle; the tones are
 * custom properties (theme.ts), so that one filter does for every theme and nothing is stored twice.
 */

/** What red, green and blue count for in the brightness of a tone. */
export const TONE_WEIGHTS = [0.5, 0.45, 0.05] as const;

/** Covers what is already there with a color, by a row of weights for red, green, blue and a constant. */
const cover = (color: string, gain: number, offset: number, result: string) =>
  `<feColorMatrix in="SourceGraphic" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ${TONE_WEIGHTS.map(
    (weight) => weight * gain,
  ).join(" ")} 0 ${offset}" result="mask"/>` +
  `<feFlood style="flood-color:var(--tone-${color})"/>` +
  `<feComposite in2="mask" operator="in" result="${result}"/>`;

/** As markup for the body of a page or of a preview; `filter: url(#tone)` names it. */
export const TONE_FILTER =
  '<svg width="0" height="0" aria-hidden="true" style="position:absolute">' +
  '<filter id="tone" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">' +
  '<feFlood style="flood-color:var(--tone-shadow)"/>' +
  '<feComposite in2="SourceGraphic" operator="in" result="shadow"/>' +
  cover("middle", 2, 0, "middle") +
  cover("light", 2, -1, "light") +
  '<feMerge><feMergeNode in="shadow"/><feMergeNode in="middle"/><feMergeNode in="light"/></feMerge>' +
  "</filter></svg>";
