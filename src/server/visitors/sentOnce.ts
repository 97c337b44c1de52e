/**
 * An enquiry is stored once, however often it is sent: whoever doesn't hear that it has arrived sends it again, and so
 * does a reload of the page that followed a post. Its id follows from when it was begun and from what it says, and the
 * store takes no id twice, whichever instance is asked.
 */
import { createHmac } from "node:crypto";
import type { Answers } from "../../schema/answers.ts";
import type { EnquiryTree } from "../../schema/enquiry.ts";
import { entities } from "../../schema/index.ts";
import type { Clock } from "../shared/clock.ts";
import type { Store, Transaction } from "../storage/store.ts";
import type { FillingTime } from "./floodGuards.ts";
import { allFields } from "./plainSteps.ts";
import { DAY, MINUTE } from "../shared/time.ts";

/** What is about to be stored; `started` is the proof of when it was begun, if there is one. */
export interface CheckedEnquiry {
  readonly form: EnquiryTree;
  readonly answers: Answers;
  readonly started: unknown;
}

/** The ids that an enquiry may have been stored under before, the one to store it under first; none where that can't be told. */
export interface EnquiryIds {
  /** By its proof. */
  proven(enquiry: CheckedEnquiry): readonly string[];
  /** Of a post without scripts, whose first page has no proof yet: else by the email address in it, for some minutes. */
  plain(enquiry: CheckedEnquiry): readonly string[];
}

/** As long as a browser is likely to send the same post again, in milliseconds. */
const WINDOW = 10 * MINUTE;

export function enquiryIds(secret: Uint8Array, filling: FillingTime, clock: Clock): EnquiryIds {
  const idOf = (begun: number, { form, answers }: CheckedEnquiry, how: string) => {
    const said = JSON.stringify([how, form.id, answers]);
    return uuidOf(begun, createHmac("sha256", secret).update(`enquiry:${said}`).digest());
  };
  const proven = (enquiry: CheckedEnquiry) => {
    const begun = filling.begun(enquiry.started);
    return begun === undefined ? [] : [idOf(begun, enquiry, enquiry.started as string)];
  };
  return {
    proven,
    plain(enquiry) {
      const ids = proven(enquiry);
      // Nothing but the answers tells, since an address would be found out from the id; two people may choose alike.
      if (ids.length > 0 || !namesItsSender(enquiry)) return ids;
      const window = clock() - (clock() % WINDOW);
      return [window, window - WINDOW].map((begun) => idOf(begun, enquiry, "plain"));
    },
  };
}

const namesItsSender = ({ form, answers }: CheckedEnquiry): boolean =>
  allFields(form).some(({ id, fieldType }) => fieldType === "email" && id in answers);

/** A UUIDv7 (RFC 9562): ids rise with time, so that the store finds them soon. */
function uuidOf(moment: number, random: Buffer): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(moment, 0, 6);
  random.copy(bytes, 6, 0, 10);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The id under which an enquiry was stored before; it may have been deleted or erased since. */
export async function sentBefore(
  store: Store,
  ids: readonly string[],
): Promise<string | undefined> {
  if (ids.length === 0) return undefined;
  const { formSubmissions, bin, erasedEnquiries } = entities;
  const found = await store.present([formSubmissions, bin, erasedEnquiries], ids);
  return ids.find((id) => found.has(id));
}

/**
 * Where enquiries are erased: a page that is still open may send them once more, and brings nobody back. Nothing but
 * their ids is kept, as long as they could come.
 */
export async function noteErasedEnquiries(
  transaction: Transaction,
  ids: readonly string[],
): Promise<void> {
  const noted = transaction.of(entities.erasedEnquiries);
  const at = new Date().toISOString();
  for (const id of ids) if (!(await noted.get(id))) await noted.insert({ id, at });
}

/** Forgets those that can't come any more. */
export async function forgetErasedEnquiries(store: Store, now: number): Promise<void> {
  const before = new Date(now - DAY).toISOString();
  await store.of(entities.erasedEnquiries).deleteWhere({ at: { before } });
}
