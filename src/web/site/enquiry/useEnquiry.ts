/** The enquiry's state in the form's components: they get it by a hook alone, so that none can forget to follow it. */
import { useSignals } from "@preact/signals-react/runtime";
import { createContext, useContext } from "react";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { EnquiryState } from "./enquiryState.ts";

const EnquiryContext = createContext<EnquiryState | null>(null);

export const EnquiryProvider = EnquiryContext.Provider;

/** The state of the form around a component, which is rendered again when it changes. */
export function useEnquiry(): EnquiryState {
  useSignals();
  return assertDefined(useContext(EnquiryContext), "enquiry form");
}
