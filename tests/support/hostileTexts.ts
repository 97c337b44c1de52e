/** Texts of 64 KB by which a check that looks too often takes its time. */

/** As much as anybody without a session may send. */
const SIZE = 64 * 1024 - 512;

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** What is no ASCII and special somewhere: spaces, marks, a sign of four bytes, half a one, one that grows in capitals. */
const OTHERS = [..."\u00a0\u0301\u200b\u202e\u2028\u3000漢بßİſ", "👩‍👩‍👧‍👦", "🎭", "\ud800"];

/** Each sign again and again. */
export const SIGNS: readonly string[] = [...ASCII, ...OTHERS].map((sign) => filled(sign));

/** Beginnings that a pattern may take up at every place: of addresses, markup, numbers, colors, headers, paths and lists. */
const PIECES = (
  'a@|@a.|a.|a@a.|http://|https://a@|//|../|/\\|%2|%25|%00|<|<a |<a>|</a>|<img src=|<img src="|<!--|<style>|' +
  "<script>|<b><i>|<p style='|<p>|&|&#|&#x0;|&nbsp;| \n|\r\n|\t | a|a b,|a;|1,|1.|1e|-|+1 |( |rgb(1|rgb(1 |#f|[|" +
  '{"a":|"|\\|\\u0041'
).split("|");
const ENDINGS = ["", "!", " x", "\u0000", "@"];

/** Two hundred and more: a piece again and again, and what keeps it from fitting at the end. */
export const PUMPED: readonly string[] = PIECES.flatMap((piece) =>
  ENDINGS.map((ending) => filled(piece) + ending),
);

/** Of 64 KB in UTF-8 at most. */
function filled(piece: string): string {
  return piece.repeat(Math.floor(SIZE / Buffer.byteLength(piece)));
}
