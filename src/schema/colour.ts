/** What counts as a colour, and how well one can be read on another. */

const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const FUNCTION =
  /^(?:rgb|hsl)a?\(\s*-?[\d.]+(?:deg|%)?(?:\s*[,\s]\s*[\d.]+%?){2}(?:\s*[,/]\s*[\d.]+%?)?\s*\)$/i;
const NAMES = new Set(
  (
    "aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown " +
    "burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan " +
    "darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid " +
    "darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet " +
    "deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro " +
    "ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki " +
    "lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow " +
    "lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray " +
    "lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine " +
    "mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise " +
    "mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab " +
    "orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru " +
    "pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown " +
    "seagreen seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan " +
    "teal thistle tomato transparent turquoise violet wheat white whitesmoke yellow yellowgreen"
  ).split(" "),
);

/** True for a hex colour, an rgb()/hsl() colour or one of CSS's names (CSS Color 4). */
export function isColour(text: string): boolean {
  return HEX.test(text) || FUNCTION.test(text) || NAMES.has(text.toLowerCase());
}

/**
 * Contrast of two hex colours from 1 to 21 (WCAG 2.2, 1.4.3), or undefined when one is not hex.
 */
export function contrastRatio(first: string, second: string): number | undefined {
  const a = luminance(first);
  const b = luminance(second);
  if (a === undefined || b === undefined) return undefined;
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The better of black-ish and white to write on a background; `onLight` is used when unknown. */
export function readableOn(background: string, onDark = "#FFFFFF", onLight = "#001018"): string {
  const dark = contrastRatio(background, onDark);
  const light = contrastRatio(background, onLight);
  return dark !== undefined && light !== undefined && dark > light ? onDark : onLight;
}

function luminance(colour: string): number | undefined {
  const channels = hexChannels(colour);
  if (!channels) return undefined;
  const [r, g, b] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function hexChannels(colour: string): number[] | undefined {
  if (!HEX.test(colour)) return undefined;
  const digits = colour.slice(1);
  const long = digits.length < 6 ? [...digits].map((d) => d + d).join("") : digits;
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255);
}
