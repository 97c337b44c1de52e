/** Removes invisible characters from untrusted text, and those that disguise it. */
import { ANSWER_REFUSALS } from "./refusals.ts";

// C1 controls, direction overrides (with which "gpj.exe" reads "exe.jpg"), and annotation marks.
// oxlint-disable-next-line no-control-regex
const DISGUISES = /[\u0080-\u009f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]/g;

/** The text without them; a lone surrogate becomes U+FFFD. */
export const harmless = (text: string): string => text.toWellFormed().replace(DISGUISES, "");

/** The same for a client's text or list of texts; anything else unchanged. */
export function harmlessIn(sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map(harmlessIn);
  return typeof sent === "string" ? harmless(sent) : sent;
}

// Line breaks and tabs are allowed; other control characters never are.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Whether a text has control characters, which are refused with the message below. */
export const hasControls = (text: string): boolean => CONTROL.test(text);
export const NO_CONTROLS = ANSWER_REFUSALS.controls;
