/**
 * Recognizes an enquiry that is sent twice, because the visitor got no response or reloaded the page: its id is derived
 * from its start time and content, and the store refuses an existing id.
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

/** An enquiry with valid answers. `started` is the proof of its start time, or any other value. */
export interface CheckedEnquiry {
  readonly form: EnquiryTree;
  readonly answers: Answers;
  readonly started: unknown;
}

export type EnquiryIdDerivation = ReturnType<typeof createEnquiryIdDerivation>;

/** A repeated post without a proof is recognized for at least this time. */
const REPEAT_WINDOW_MS = 10 * MINUTE;

/** Returns functions that derive the ids under which an enquiry may be stored. A new enquiry gets the first id. */
export function createEnquiryIdDerivation(
  secret: Uint8Array,
  fillingTimeProofs: FillingTimeProofs,
  clock: Clock,
) {
  const deriveId = (startedAt: number, { form, answers }: CheckedEnquiry, seed: string) => {
    const content = JSON.stringify([seed, form.id, answers]);
    const digest = createHmac("sha256", secret).update(`enquiry:${content}`).digest();
    return createUuidV7(startedAt, digest);
  };
  const createIdsByProof = (enquiry: CheckedEnquiry) => {
    const startedAt = fillingTimeProofs.readStartTime(enquiry.started);
    return startedAt === undefined ? [] : [deriveId(startedAt, enquiry, String(enquiry.started))];
  };
  return {
    /** Returns the id derived from the proof of the start time; no id without a valid proof. */
    createIdsByProof,
    /** Returns the ids for a post without scripts. Without a proof, they are derived from the answers. */
    createIdsByEmail(enquiry: CheckedEnquiry) {
      const ids = createIdsByProof(enquiry);
      // The id must not reveal an IP address, so it depends only on the answers. Two people may send the same answers,
      // unless they contain an email address.
      if (ids.length > 0 || !hasSenderContact(enquiry)) return ids;
      const windowStart = clock() - (clock() % REPEAT_WINDOW_MS);
      return [windowStart, windowStart - REPEAT_WINDOW_MS].map((startedAt) =>
        deriveId(startedAt, enquiry, "plain"),
      );
    },
  };
}

const hasSenderContact = ({ form, answers }: CheckedEnquiry): boolean =>
  collectFields(form).some(({ id, fieldType }) => fieldType === "email" && id in answers);

/** Creates a UUIDv7 (RFC 9562): the store finds ids faster if they increase with time. */
function createUuidV7(timestamp: number, random: Buffer): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(timestamp, 0, 6);
  random.copy(bytes, 6, 0, 10);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Returns the first of `ids` that was ever stored, even if the enquiry was deleted or erased. */
export async function findEarlierId(
  store: Store,
  ids: readonly string[],
): Promise<string | undefined> {
  const { formSubmissions, bin, erasedEnquiries } = entities;
  for (const id of ids)
    if (
      (await store.of(formSubmissions).get(id)) ??
      (await store.of(bin).get(id)) ??
      (await store.of(erasedEnquiries).get(id))
    )
      return id;
  return undefined;
}
