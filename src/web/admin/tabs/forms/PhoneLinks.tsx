/** Links to call a phone number and to write to it on WhatsApp. */
import MessageCircle from "lucide-react/icons/message-circle";
import Phone from "lucide-react/icons/phone";
import type { ReplyThread } from "../../../../schema/api/mailResponses.ts";
import { parseDialableNumber } from "../../../../schema/core/phone.ts";
import { fillPlaceholders } from "../../../words/placeholders.ts";

export interface PhoneLinksProps {
  /** The number as the visitor typed it. */
  readonly phone: string;
  /** The visitor's first name, for the greeting. */
  readonly name: string;
  /** The enquiry's replies and the texts for new ones, such as the greeting; undefined until loaded. */
  readonly thread: ReplyThread | undefined;
}

export function PhoneLinks({ phone, name, thread }: PhoneLinksProps) {
  const { number } = parseDialableNumber(phone);
  const { hi = "", hiThere = "" } = thread ?? {};
  const greeting = name === "" ? hiThere : fillPlaceholders(hi, { name });
  if (number.replace("+", "").length < 4) return null;
  return (
    <>
      <a className="ui-button" href={createCallUrl(phone)}>
        <Phone size={16} aria-hidden="true" /> Call
      </a>
      {number.startsWith("+") && (
        <a
          className="ui-button"
          href={`https://wa.me/${number.slice(1)}?text=${encodeURIComponent(greeting)}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          <MessageCircle size={16} aria-hidden="true" /> WhatsApp
        </a>
      )}
    </>
  );
}

export function CallLink({ phone }: Pick<PhoneLinksProps, "phone">) {
  return parseDialableNumber(phone).number === "" ? null : (
    <a className="ui-button" data-variant="quiet" href={createCallUrl(phone)}>
      Call
    </a>
  );
}

/** Phones would dial the letters of `;ext=` (RFC 3966) as digits, so the extension is appended after a pause. */
function createCallUrl(phone: string): string {
  const { number, extensionDigits: digits } = parseDialableNumber(phone);
  return `tel:${number}${digits && `,${digits}`}`;
}
