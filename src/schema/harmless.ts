/** Takes out of text from outside what nobody sees and what makes it read as another text. */
import { ANSWER_REFUSALS } from "./refusals.ts";

// C1 controls, what turns the direction of the text after it (so that "gpj.exe" reads "exe.jpg"), and marks
// of annotations.
// oxlint-disable-next-line no-control-regex
const DISGUISES = /[\u0080-\u009f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]/g;

/** The same text without them; half a character (a lone surrogate) becomes U+FFFD. */
export const harmless = (text: string): string => text.toWellFormed().replace(DISGUISES, "");

/** The same for what a client sends: a text or a list of texts; anything else as it is. */
export function harmlessIn(sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map(harmlessIn);
  return typeof sent === "string" ? harmless(sent) : sent;
}

// Line breaks and tabs are text; other control characters never are.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Whether a text has what nobody sees; it is refused then, in these words. */
export const hasControls = (text: string): boolean => CONTROL.test(text);
export const NO_CONTROLS = ANSWER_REFUSALS.controls;
