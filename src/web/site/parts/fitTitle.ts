/** Measures a title's words, so that its size can be fitted to the width available. */
import type { CSSProperties } from "react";

/** The number of lines that a title may fill before its font size is reduced. */
const MAX_TITLE_LINES = 2.4;

/** Matches possible line breaks: spaces and hyphens, except where TextLine.tsx prevents a break. */
const LINE_BREAK_PATTERN = /(?<!(?:^|\s)&)\s+|(?<=[^\s-]{4}-)/g;

/** Returns widths for the class `fitted`, in em: of the widest word, and of a line if the title fills 2.4 lines. */
export function createTitleFitStyle(title: string): CSSProperties {
  const words = title.split(LINE_BREAK_PATTERN).map(countLetters);
  const widestWord = words.reduce(pickWider);
  const wholeTitle = countLetters(title);
  return {
    "--word": formatWidthCss(widestWord),
    "--line-width": formatWidthCss(wholeTitle, MAX_TITLE_LINES),
  } as CSSProperties;
}

/**
 * Like `createTitleFitStyle`, for a title over a photo. Adds the width of the widest line of the title in two lines
 * (for a wide page) and in three (for a phone). `secondTitle` always begins a line.
 */
export function createPhotoTitleFitStyle(title: string, secondTitle = ""): CSSProperties {
  const fitInLines = (lineCount: number) =>
    formatWidthCss(
      secondTitle
        ? pickWider(countLetters(title), countLetters(secondTitle))
        : findWidestLine(title, lineCount),
      MAX_LINE_FILL,
    );
  return {
    ...createTitleFitStyle(`${title} ${secondTitle}`.trim()),
    "--two": fitInLines(2),
    ...(secondTitle === "" && { "--three": fitInLines(3) }),
  } as CSSProperties;
}

/** Returns the width of a text in the heading's font, in em. */
export const measureTextWidthEm = (text: string): string => formatWidthCss(countLetters(text));

/** The share of a line that may be filled, since letter widths are estimates. */
const MAX_LINE_FILL = 0.94;

/** Returns the widest line of a title that is broken into lines as evenly as possible. */
function findWidestLine(title: string, lineCount: number): LetterWidthSums {
  const wholeTitle = countLetters(title);
  if (lineCount === 1) return wholeTitle;
  const candidates = [...title.matchAll(LINE_BREAK_PATTERN)].map(({ index, 0: gap }) =>
    pickWider(
      countLetters(title.slice(0, index)),
      findWidestLine(title.slice(index + gap.length), lineCount - 1),
    ),
  );
  return candidates.reduce((a, b) => (sumLetters(b) < sumLetters(a) ? b : a), wholeTitle);
}

const pickWider = (a: LetterWidthSums, b: LetterWidthSums) =>
  sumLetters(a) < sumLetters(b) ? b : a;

/** The number of letters in each width class, with wide letters counting more. `other` is a width in em. */
interface LetterWidthSums {
  capital: number;
  small: number;
  /** The letters f, l and t. They are narrow, except in fonts with capitals only. */
  slim: number;
  /** Letters of scripts that heading fonts lack. A fallback font shows them. */
  other: number;
}

function countLetters(text: string): LetterWidthSums {
  const counts = { capital: 0, small: 0, slim: 0, other: 0 };
  for (const letter of text) {
    const kind = classifyLetter(letter);
    counts[kind] += measureLetter(letter, kind);
  }
  return counts;
}

function classifyLetter(letter: string): keyof LetterWidthSums {
  if (/(?=\p{L})\P{Script=Latin}/u.test(letter)) return "other";
  if (/[flt]/.test(letter)) return "slim";
  return /\p{Ll}/u.test(letter) ? "small" : "capital";
}

function measureLetter(letter: string, kind: keyof LetterWidthSums): number {
  if (kind === "other") return /\p{Lo}/u.test(letter) ? 1.05 : /\p{Lu}/u.test(letter) ? 0.84 : 0.68;
  if (/[MW%@mwæœÆŒ]/.test(letter)) return kind === "small" ? 1.7 : 1.45;
  if (/[OQGDHNbdghnopqu]/.test(letter)) return 1.08;
  return /[Iij .,:;'’!|()-]/.test(letter) ? 0.6 : 1.02;
}

function sumLetters({ capital, small, slim, other }: LetterWidthSums): number {
  return capital + small + slim + other;
}

/** Returns a width in em as a CSS calculation, in which the letter widths are custom properties of the theme. */
function formatWidthCss(counts: LetterWidthSums, lineCount = 1): string {
  const { capital, small, slim, other } = counts;
  const formatPerLine = (count: number) => (count / lineCount).toFixed(2);
  const slimTerm = slim ? ` + ${formatPerLine(slim)} * var(--slim)` : "";
  const otherTerm = other ? ` + ${formatPerLine(other)}` : "";
  return `calc(${formatPerLine(capital)} * var(--capital) + ${formatPerLine(small)} * var(--small)${slimTerm}${otherTerm})`;
}
