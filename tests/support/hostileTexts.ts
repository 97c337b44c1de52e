/** Texts of 64 KB that slow down checks that backtrack. */

/** The largest size that anyone without a session may send. */
const SIZE_BYTES = 64 * 1024 - 512;

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/**
 * Special characters outside of ASCII: spaces, marks, a character of four bytes, a lone surrogate, and a character that
 * grows in upper case.
 */
const SPECIAL_CHARACTERS = [..."\u00a0\u0301\u200b\u202e\u2028\u3000漢بßİſ", "👩‍👩‍👧‍👦", "🎭", "\ud800"];

/** Each character repeated. */
export const REPEATED_CHARACTERS: readonly string[] = [...ASCII, ...SPECIAL_CHARACTERS].map(
  (sign) => repeatToSize(sign),
);

/**
 * Texts at which a pattern may begin to match at every position: parts of addresses, markup, numbers, colors, headers,
 * paths and lists.
 */
const PIECES = (
  'a@|@a.|a.|a@a.|http://|https://a@|//|../|/\\|%2|%25|%00|<|<a |<a>|</a>|<img src=|<img src="|<!--|<style>|' +
  "<script>|<b><i>|<p style='|<p>|&|&#|&#x0;|&nbsp;| \n|\r\n|\t | a|a b,|a;|1,|1.|1e|-|+1 |( |rgb(1|rgb(1 |#f|[|" +
  '{"a":|"|\\|\\u0041'
).split("|");
const ENDINGS = ["", "!", " x", "\u0000", "@"];

/** Over two hundred texts: a repeated piece with an end that makes the match fail. */
export const REPEATED_PIECES: readonly string[] = PIECES.flatMap((piece) =>
  ENDINGS.map((ending) => repeatToSize(piece) + ending),
);

/**
 * Pairs of marks of different classes, which normalizing has to sort: above and below, of Hebrew, Arabic, Japanese,
 * Vietnamese, Tibetan, Syriac, Devanagari and music. Some decompose first, and some halfwidth characters become marks.
 */
const MARKS = (
  "\u0315 \u0316|\u0301 \u0323|\u0345 \u0334|\u05b0 \u05b1|\u064b \u0650|\u3099 \u0300|\uff9e \u0315|\uff9f \u0323|" +
  "\u0344 \u0316|\u0f71 \u0f72|\u0f73 \u0f84|\u0730 \u0731|\u093c \u094d|\u20d0 \u20e8|\u{1d165} \u{1d16d}|\u{1e8d0} \u{1e944}"
)
  .split("|")
  .map((pair) => pair.split(" ") as [string, string]);

/** Other texts that slow down Unicode's algorithms: syllables, ligatures, joiners, flags, words without spaces. */
const SEQUENCES =
  "\u1100\u1161\u11a8|\u1100|\uac00\u11a8|\ufdfa|\u0644\u0627|\u0628\u0640|\u03a3\u0315|\u03a3:|i\u0307|ﬃ|①|\u{1f1e6}|\u{1f3f4}\u{e0067}|" +
  "\u0915\u094d\u200d|\u0e01\u0e33|\u200d|\ufe0f\u20e3|\u{1f469}\u200d|\u0958|\u{1109a}\u{110ba}|\u2126|\u212b\u0323";

/** Host names: with marks, percent-encoded, in Punycode, of many letters, of many labels. */
const HOSTS = [
  `http://a${joinHalves("\u0315", "\u0316")}.de`,
  `http://a${joinHalves("%CC%95", "%CC%96")}`,
  `//a${joinHalves("\u0315", "\u0316")}`,
  `http://xn--${"a".repeat(30_000)}-${"a".repeat(30_000)}`,
  `http://${repeatToSize("xn--ab9.")}`,
  `ada@a${joinHalves("\u0315", "\u0316")}.de`,
  `http://${Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join("")}`,
];

/** Texts that slow down normalizing, case folding, collating, segmenting and parsing host names. */
export const UNICODE_TEXTS: readonly string[] = [
  ...MARKS.flatMap(([one, other]) => [
    `a${joinHalves(one, other)}`,
    `a${repeatToSize(one + other)}`,
  ]),
  ...MARKS.map(([one, other]) => repeatToSize(`a${one.repeat(40)}${other.repeat(40)}`)),
  ...SEQUENCES.split("|").map(repeatToSize),
  ...HOSTS,
];

/** Returns 64 KB, of which the first half repeats one text and the second half the other. */
function joinHalves(one: string, other: string): string {
  const repeatHalf = (piece: string) =>
    piece.repeat(Math.floor(SIZE_BYTES / 2 / Buffer.byteLength(piece)));
  return repeatHalf(one) + repeatHalf(other);
}

/** Repeats a text up to at most 64 KB in UTF-8. */
function repeatToSize(piece: string): string {
  return piece.repeat(Math.floor(SIZE_BYTES / Buffer.byteLength(piece)));
}
