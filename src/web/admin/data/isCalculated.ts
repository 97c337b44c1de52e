/** Finds cells that a spreadsheet would calculate instead of showing them as typed (OWASP, CSV injection). */

/** A sign that can begin a formula, also full-width ones and behind spaces; Lotus's @ and + still do in Excel. */
const SIGNED = /^\s*[+\-@＋－＠]/;
/** Always a formula, or a line that a reader may cut off to find one. */
const FORMULA = /^(?:[\t\r\n]|\s*[=＝])/;

/** `+44 (0)20 7946 0958`, `-5`, `+1/2`: no operator but the sign and what phone numbers have, with an extension. */
const NUMBER = /^\s*[+-]?[\d\s().,/'’-]*(?:(?:ext\.?|x|#)\s?\d+)?\s*$/i;

/** A call, another program's data, or another sheet. */
const CALL = /[\p{L}_][\p{L}\d_.]{0,60}\(|[|[\]]|![$\p{L}#]/u;
/** Functions that reach out of the file, which Excel also takes with a space before the bracket. */
const REACHING =
  /(?:hyperlink|webservice|filterxml|import[a-z]{1,8}|image|call|register|exec|dde|rtd|indirect|cell|info)\s{1,9}\(/i;

/** Numbers and cells such as `$A$1`, joined by operators only; `@a1` alone is a handle. */
const CELL = /\$?\b[a-z]{1,3}\$?\d{1,7}\b/gi;
const ARITHMETIC = /^[+\-@\d\s.,%$():*/^&<>="]*$/;
const OPERATOR = /[+*^&<>=%:]/;

/**
 * Phone numbers, @names, lines that begin with a dash and negative numbers stay as typed: a spreadsheet shows those, or
 * an error in their place, and no more.
 */
export function isCalculated(cell: string): boolean {
  if (FORMULA.test(cell)) return true;
  if (!SIGNED.test(cell) || NUMBER.test(cell)) return false;
  const text = cell.normalize("NFKC").trim();
  if (NUMBER.test(text)) return false;
  if (CALL.test(text) || REACHING.test(text)) return true;
  const numbers = text.replace(CELL, "1");
  if (!ARITHMETIC.test(numbers)) return false;
  const isReference = numbers !== text && !text.startsWith("@");
  return isReference || OPERATOR.test(numbers.slice(1));
}
