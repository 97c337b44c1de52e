/**
 * Stores an enquiry once, however often it is sent: a visitor who gets no response sends it again, and a
 * reload of the page repeats a post. Its id is derived from its start time and content, and the store rejects
 * a duplicate id, whichever instance handles it.
 */
import { createHmac } from "node:crypto";
import type { Answers } from "../../schema/enquiry/answers.ts";
import type { EnquiryTree } from "../../schema/enquiry/enquiry.ts";
import { entities } from "../../schema/index.ts";
import type { Clock } from "../shared/clock.ts";
import type { Store } from "../storage/store.ts";
import type { FillingTimeProofs } from "../visitors/enquiryRateLimits.ts";
import { collectFields } from "./enquiryAnswers.ts";
import { MINUTE } from "../shared/time.ts";

/** An enquiry about to be stored; `started` is the proof of its start time, if any. */
export interface CheckedEnquiry {
  readonly form: EnquiryTree;
  readonly answers: Answers;
  readonly started: unknown;
}

/** The ids under which an enquiry may already be stored, the one to use first; none where that is unknown. */
export type EnquiryIds = ReturnType<typeof createEnquiryIds>;

/** The time in which a browser is likely to repeat a post, in milliseconds. */
const REPEAT_WINDOW_MS = 10 * MINUTE;

export function createEnquiryIds(secret: Uint8Array, filling: FillingTimeProofs, clock: Clock) {
  const idOf = (begun: number, { form, answers }: CheckedEnquiry, how: string) => {
    const content = JSON.stringify([how, form.id, answers]);
    return createUuidV7(begun, createHmac("sha256", secret).update(`enquiry:${content}`).digest());
  };
  const proven = (enquiry: CheckedEnquiry) => {
    const begun = filling.startedAt(enquiry.started);
    return begun === undefined ? [] : [idOf(begun, enquiry, String(enquiry.started))];
  };
  return {
    /** By the proof of the filling time. */
    byProof: proven,
    /**
     * For a post without scripts, whose first page has no proof yet: otherwise by its email address, for some minutes.
     */
    byEmail(enquiry: CheckedEnquiry) {
      const ids = proven(enquiry);
      // Only the answers count, as the id would reveal an IP address; without an email address, two people's may be
      // alike.
      if (ids.length > 0 || !hasSenderContact(enquiry)) return ids;
      const window = clock() - (clock() % REPEAT_WINDOW_MS);
      return [window, window - REPEAT_WINDOW_MS].map((begun) => idOf(begun, enquiry, "plain"));
    },
  };
}

const hasSenderContact = ({ form, answers }: CheckedEnquiry): boolean =>
  collectFields(form).some(({ id, fieldType }) => fieldType === "email" && id in answers);

/** A UUIDv7 (RFC 9562): ids increase with time, so the store finds them quickly. */
function createUuidV7(timestamp: number, random: Buffer): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(timestamp, 0, 6);
  random.copy(bytes, 6, 0, 10);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The id under which an enquiry was already stored, even if it has been deleted or erased since. */
export async function findEarlierId(
  store: Store,
  ids: readonly string[],
): Promise<string | undefined> {
  if (ids.length === 0) return undefined;
  const { formSubmissions, bin, erasedEnquiries } = entities;
  const existing = await store.existingIds([formSubmissions, bin, erasedEnquiries], ids);
  return ids.find((id) => existing.has(id));
}
