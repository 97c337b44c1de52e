/** Reads numbers as people write them in different countries. */
import { asciiForm } from "./harmless.ts";
import { ANSWER_REFUSALS } from "./refusals.ts";

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** Three digits behind the only separator: thousands in one country, decimals in another. */
const AMBIGUOUS = /^([+-]?[1-9]\d{0,2})[.,](\d{3})$/;

/** A sign such as € or US$, or a code such as EUR. */
const CURRENCY = /[A-Z]{0,3}\p{Sc}|\b[A-Z]{3}\b|\bkr\b|zł|Kč/u;

/** 1 500, 1'500, 1.500.000 and 1,50,000. */
const GROUPED = /^\d{1,3}(?:([ '.,])\d{3}(?:\1\d{3})*|(?:,\d\d)+,\d{3})$/;

/**
 * The number as a program writes it (1500.5) for one as typed (€1.500,50). A text that is no number stays as it is,
 * and so does one that can be read in two ways, without its currency.
 */
export function readNumber(typed: string): string {
  const text = asciiForm(typed);
  if (NUMBER.test(text)) return text;
  const [, sign = "", amount = ""] = /^([+-]?) ?(.+)$/.exec(withoutCurrency(text)) ?? [];
  if (AMBIGUOUS.test(amount)) return sign + amount;
  const [whole, fraction] = splitDecimals(amount);
  const isRead = /^\d*$/.test(whole) || GROUPED.test(whole);
  if (!isRead || !/^\d*$/.test(fraction) || whole + fraction === "") return text;
  const decimals = fraction.replace(/0+$/, "");
  return `${sign}${whole.replace(/\D/g, "") || "0"}${decimals && `.${decimals}`}`;
}

/** Why a read text isn't a number; undefined if it is one. */
export function numberFault(text: string): string | undefined {
  const [, whole, rest = ""] = AMBIGUOUS.exec(text) ?? [];
  if (whole === undefined) return NUMBER.test(text) ? undefined : ANSWER_REFUSALS.number;
  const fraction = rest.endsWith("0") ? rest.replace(/0{1,2}$/, "") : `${rest}0`;
  const readings = `${whole}${rest} / ${whole}.${fraction}`;
  return ANSWER_REFUSALS.twoNumbers.replace("{readings}", () => readings);
}

/** Without what isn't the number in "-€500", "500 EUR" and "500,-". */
const withoutCurrency = (text: string): string =>
  text
    .replace(CURRENCY, "")
    .replace(/[’٬]/g, "'")
    .trim()
    .replace(/[.,]-$/, "");

/** The digits before and behind the decimal separator: the last one, unless it separates thousands. */
function splitDecimals(amount: string): [string, string] {
  const last = Math.max(amount.lastIndexOf("."), amount.lastIndexOf(","), amount.lastIndexOf("٫"));
  const separator = amount[last] ?? "";
  const isRepeated = amount.indexOf(separator) !== last;
  return last < 0 || isRepeated ? [amount, ""] : [amount.slice(0, last), amount.slice(last + 1)];
}
