/**
 * The picture filter of the setting "one tone": dark pixels get the shadow tone, medium ones the middle tone, bright
 * ones the light tone, with gradual transitions. The tones are custom properties (theme.ts).
 */

/** The weights of red, green and blue in the brightness. */
export const TONE_WEIGHTS = [0.5, 0.45, 0.05] as const;

/** Creates a layer of one color. Its opacity at each pixel is brightness × `slope` + `offset`. */
const createCoverLayer = (color: string, slope: number, offset: number, result: string) =>
  `<feColorMatrix in="SourceGraphic" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ${TONE_WEIGHTS.map(
    (weight) => weight * slope,
  ).join(" ")} 0 ${offset}" result="mask"/>` +
  `<feFlood style="flood-color:var(--tone-${color})"/>` +
  `<feComposite in2="mask" operator="in" result="${result}"/>`;

/** The filter as HTML for a page or preview. Style sheets apply it with `filter: url(#tone)`. */
export const TONE_FILTER_SVG =
  '<svg width="0" height="0" aria-hidden="true" style="position:absolute">' +
  '<filter id="tone" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">' +
  '<feFlood style="flood-color:var(--tone-shadow)"/>' +
  '<feComposite in2="SourceGraphic" operator="in" result="shadow"/>' +
  createCoverLayer("middle", 2, 0, "middle") +
  createCoverLayer("light", 2, -1, "light") +
  '<feMerge><feMergeNode in="shadow"/><feMergeNode in="middle"/><feMergeNode in="light"/></feMerge>' +
  "</filter></svg>";
