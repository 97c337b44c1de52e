/** Takes the posts of the enquiry form before, or without, any script. */
import { type Answers, FORM_CHANGED } from "../../schema/answers.ts";
import type { EnquiryForm, PlainEnquiryState } from "../../schema/enquiry.ts";
import { cannotStore, Refusal } from "../http/refusal.ts";
import type { Visitor } from "../http/visitor.ts";
import { StorageUnavailable } from "../storage/store.ts";
import { activeEnquiry } from "./activeEnquiry.ts";
import type { FillingTime } from "./fillingTime.ts";
import type { FloodGuards } from "./floodGuards.ts";
import { advancePlain, firstPlainState, type Posted, textOf } from "./plainSteps.ts";
import { storeSubmission, type SubmissionStore } from "./storeSubmission.ts";
import { isFilled } from "./submitEnquiry.ts";

/**
 * Takes one post (see `advancePlain` for its fields). A refusal is part of the state and not raised, but
 * for the 429 of someone who posts by the hundred.
 */
export type HandlePlainEnquiry = (posted: Posted, visitor: Visitor) => Promise<PlainEnquiryState>;

/** The same guards, checks and store as the call. */
export function plainEnquiry(
  to: SubmissionStore,
  guards: FloodGuards,
  filling: FillingTime,
): HandlePlainEnquiry {
  return async (posted, visitor) => {
    guards.draw(visitor);
    const form = activeEnquiry(to.store);
    if (!form) return { ...firstPlainState(), status: 422, error: FORM_CHANGED };
    const { state, send } = advancePlain(form, posted);
    const proof = filling.elapsed(state.started) === undefined ? null : state.started;
    const here = { ...state, started: proof ?? filling.begin() };
    if (!send) return here;
    if (isFilled(textOf(posted, "website"))) return { ...here, done: true };
    return storeOrExplain(here, () => keep(form, send, visitor, proof));
  };

  async function keep(form: EnquiryForm, answers: Answers, visitor: Visitor, proof: unknown) {
    guards.attempt(visitor);
    guards.admit(visitor, proof);
    await storeSubmission(to, form, answers, visitor);
  }
}

async function storeOrExplain(
  here: PlainEnquiryState,
  store: () => Promise<void>,
): Promise<PlainEnquiryState> {
  try {
    await store();
    return { ...here, done: true };
  } catch (error) {
    const { status, body } = asRefusal(error);
    return { ...here, status, error: body.error };
  }
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StorageUnavailable) return cannotStore();
  throw error;
}
