/** Measures the words of a title, so that its size can be fitted to the width there is. */
import type { CSSProperties } from "react";

/** Lines that a title may take before it is set smaller. */
const LINES = 2.4;

/**
 * Custom properties for an element of class `fitted`: the width in em of the longest word and of a
 * line when the whole takes a little over two, made from the theme's letter widths.
 */
export function fitted(title: string): CSSProperties {
  // A browser may break a line after a hyphen, so what follows it is a word of its own.
  const words = title.split(/\s+|(?<=-)/).map(letters);
  const longest = words.reduce((a, b) => (a.capital + a.small < b.capital + b.small ? b : a));
  const whole = letters(title);
  return { "--word": width(longest), "--line-width": width(whole, LINES) } as CSSProperties;
}

interface Letters {
  capital: number;
  small: number;
}

/** Counts letters in widths of a mean capital and of a mean small letter. */
function letters(text: string): Letters {
  const counted = { capital: 0, small: 0 };
  for (const letter of text) {
    if (/[\p{Ll}\p{Lo}]/u.test(letter)) counted.small += /[mw]/.test(letter) ? 1.7 : weight(letter);
    else counted.capital += /[MW%@]/.test(letter) ? 1.45 : weight(letter);
  }
  return counted;
}

function weight(letter: string): number {
  return /[Iijlft1 .,:;'’!|()-]/.test(letter) ? 0.6 : 1.02;
}

function width({ capital, small }: Letters, parts = 1): string {
  const part = (count: number) => (count / parts).toFixed(2);
  return `calc(${part(capital)} * var(--capital) + ${part(small)} * var(--small))`;
}
