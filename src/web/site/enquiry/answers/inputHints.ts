/** Which keyboard a phone shows, and what a browser may fill in (WCAG 2.2, 1.3.5). */
import type { InputHTMLAttributes } from "react";
import type { EnquiryField } from "../loadEnquiry.ts";

type Hints = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "type" | "inputMode" | "autoComplete" | "step"
>;

/** What a one-line question probably asks for, by the words of its label. */
const PURPOSES: readonly (readonly [RegExp, string])[] = [
  [/\b(first|given) name\b/i, "given-name"],
  [/\b(last|family) name\b|\bsurname\b/i, "family-name"],
  [/^(your |full )*name\b/i, "name"],
  [/\b(post ?code|zip)\b/i, "postal-code"],
  [/\b(city|town)\b/i, "address-level2"],
  [/\b(company|organi[sz]ation)\b/i, "organization"],
];

/** The hints for a one-line question. */
export function inputHints({ fieldType, label }: Pick<EnquiryField, "fieldType" | "label">): Hints {
  if (fieldType === "email") return { type: "email", inputMode: "email", autoComplete: "email" };
  if (fieldType === "phone") return { type: "tel", inputMode: "tel", autoComplete: "tel" };
  if (fieldType === "number") return { type: "number", inputMode: "decimal", step: "any" };
  const purpose = PURPOSES.find(([words]) => words.test(label))?.[1];
  return { type: "text", ...(purpose ? { autoComplete: purpose } : {}) };
}
