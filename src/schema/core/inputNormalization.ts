/** Reads digits and numbers as people write them in different countries. */

const NUMBER_PATTERN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** A number with three digits after its only separator: 1.234 is over a thousand in some countries, not in others. */
const AMBIGUOUS_NUMBER_PATTERN = /^([+-]?[1-9]\d{0,2})[.,](\d{3})$/;

/** A currency: a sign such as € or US$, a code such as EUR, or an abbreviation such as kr. */
const CURRENCY_PATTERN =
  /[A-Z]{0,3}\p{Sc}|(?<!\p{L})(?:[A-Z]{3}|(?:[Kk]r|Fr|Rs|Rp|R|RM|руб|р|лв|zł|Kč|Ft|lei)\.?)(?!\p{L})/u;

/** Digits with thousands separators: 1 500, 1'500, 1.500.000 and 1,50,000. */
const GROUPED_DIGITS_PATTERN = /^\d{1,3}(?:([ '.,])\d{3}(?:\1\d{3})*|(?:,\d\d)+,\d{3})$/;

/**
 * Converts a number as typed (€1.500,50) to the notation of programs (1500.5). An ambiguous number, such as 1.234, only
 * loses its currency. Any other text is only converted by `toAscii`.
 */
export function normalizeNumber(input: string): string {
  const text = toAscii(input);
  if (NUMBER_PATTERN.test(text)) return text;
  const [, sign = "", amount = ""] = /^([+-]?) ?(.+)$/.exec(stripCurrency(text)) ?? [];
  if (AMBIGUOUS_NUMBER_PATTERN.test(amount)) return sign + amount;
  const [whole, fraction] = splitDecimals(amount);
  const isReadable = /^\d*$/.test(whole) || GROUPED_DIGITS_PATTERN.test(whole);
  if (!isReadable || !/^\d*$/.test(fraction) || whole + fraction === "") return text;
  let decimals = fraction;
  while (decimals.endsWith("0")) decimals = decimals.slice(0, -1);
  return `${sign}${whole.replace(/\D/g, "") || "0"}${decimals && `.${decimals}`}`;
}

/** Whether a text is a number in the notation of programs, such as 1500.5. */
export const isNumber = (text: string): boolean => NUMBER_PATTERN.test(text);

/** Returns both readings of an ambiguous number: `1234 / 1.2340` for 1.234. Undefined for other texts. */
export function findAmbiguousReadings(text: string): string | undefined {
  const [, whole, digits = ""] = AMBIGUOUS_NUMBER_PATTERN.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const fraction = digits.endsWith("0") ? digits.replace(/0{1,2}$/, "") : `${digits}0`;
  return `${whole}${digits} / ${whole}.${fraction}`;
}

/** Removes the currency from "-€500" and "500 EUR", and the dash for "no cents" from "500,-", "500:-" and "500/-". */
const stripCurrency = (text: string): string =>
  text
    .replace(CURRENCY_PATTERN, "")
    .replace(/[’′ʼ٬]/g, "'")
    .trim()
    // The dash and its separator become the Arabic decimal separator, which never separates thousands.
    .replace(/(?<=\d)[.,:/]-$/, "٫");

/** Splits an amount at its last separator into whole part and decimals. A repeated separator separates thousands. */
function splitDecimals(amount: string): [string, string] {
  const lastIndex = Math.max(
    amount.lastIndexOf("."),
    amount.lastIndexOf(","),
    amount.lastIndexOf("٫"),
  );
  const separator = amount[lastIndex] ?? "";
  const isRepeated = amount.indexOf(separator) !== lastIndex;
  return lastIndex < 0 || isRepeated
    ? [amount, ""]
    : [amount.slice(0, lastIndex), amount.slice(lastIndex + 1)];
}

const FULL_WIDTH_PATTERN = /[\uff01-\uff5e]/g;
const toHalfWidth = (character: string) => String.fromCharCode(character.charCodeAt(0) - 0xfee0);

/** Converts full-width characters in a URL's scheme and host, and directly after the host, to ASCII. */
export const toHalfWidthHost = (url: string): string =>
  url.replace(/^[^/／?#]*(?:[/／]{2}[^/／?#]*)?[！-～]*/, (host) =>
    host.replace(FULL_WIDTH_PATTERN, toHalfWidth).replaceAll("。", "."),
  );

const BRACKET_AND_QUOTE_PAIRS = ['""', "''", "“”", "„“", "‘’", "«»", "»«", "()", "[]", "<>", "``"];

/** Removes quotation marks and brackets around an address. Returns only the address of a Markdown link. */
export function stripBracketsAndQuotes(text: string): string {
  const [, address] = /^\[[^[\]]{0,300}\]\(([^()\s]+)\)$/.exec(text) ?? [];
  if (address !== undefined) return address;
  const isWrapped = text.length > 2 && BRACKET_AND_QUOTE_PAIRS.includes(`${text[0]}${text.at(-1)}`);
  return isWrapped ? stripBracketsAndQuotes(text.slice(1, -1).trim()) : text;
}

/**
 * Converts digits of all scripts, full-width forms, spaces and dashes to ASCII, for numbers and addresses. Removes
 * invisible marks. The caller must limit the text's length.
 */
export const toAscii = (text: string): string =>
  text
    .replace(FULL_WIDTH_PATTERN, toHalfWidth)
    .replace(/(?!\d)\p{Nd}/gu, toAsciiDigit)
    .replace(/[\p{Cf}\ufe00-\ufe0f\u034f]/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/\s/g, " ")
    .trim();

/**
 * Converts a digit of any script to ASCII. In Unicode, the digits 0 to 9 of a script are consecutive, and the digits of
 * another script may directly precede them. So the value is the distance to the first digit of the row, modulo 10.
 */
function toAsciiDigit(digit: string): string {
  let zeroCode = digit.codePointAt(0) ?? 0;
  const digitCode = zeroCode;
  while (/\p{Nd}/u.test(String.fromCodePoint(zeroCode - 1))) zeroCode--;
  return String((digitCode - zeroCode) % 10);
}
