/** How wide the letters of a heading font are, so that titles are fitted before the font arrives. */

/** Mean advances in em, measured at weight 700 over A to Z and a to z of the fonts the site carries. */
const WIDTHS: Readonly<Record<string, readonly [capital: number, small: number]>> = {
  // Else a family named "constructor" would be found, and no page could be drawn.
  __proto__: null as never,
  "Bebas Neue": [0.39, 0.39],
  Inter: [0.7, 0.56],
  Montserrat: [0.74, 0.6],
  Roboto: [0.64, 0.51],
  Oswald: [0.54, 0.46],
  "Playfair Display": [0.68, 0.53],
  Raleway: [0.67, 0.55],
  Poppins: [0.68, 0.6],
  Lato: [0.67, 0.51],
  "Source Sans Pro": [0.6, 0.51],
  "Open Sans": [0.66, 0.57],
  Nunito: [0.68, 0.53],
  Merriweather: [0.7, 0.58],
  "PT Sans": [0.59, 0.48],
  Lora: [0.69, 0.54],
};

/** Of its mean small letter, how much f, l and t take; in a font of capitals alone they are F, L and T. */
const SLIM = 0.62;
const SLIM_CAPITALS = 0.95;

/** The mean widths of a family's capitals, small and slim letters in em; of a wide one when unknown. */
export function letterWidths(family: string): { capital: number; small: number; slim: number } {
  const [capital, small] = WIDTHS[family] ?? [0.76, 0.64];
  const part = small < capital ? SLIM : SLIM_CAPITALS;
  return { capital, small, slim: Number((small * part).toFixed(3)) };
}
