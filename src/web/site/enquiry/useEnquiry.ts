/** The hook with which components read the enquiry's state. */
import { useSignals } from "@preact/signals-react/runtime";
import { createContext, useContext } from "react";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { EnquiryState } from "./enquiryState.ts";

const EnquiryContext = createContext<EnquiryState | null>(null);

export const EnquiryProvider = EnquiryContext.Provider;

/** Returns the state of the surrounding form, and renders the component again when the state changes. */
export function useEnquiryState(): EnquiryState {
  useSignals();
  return assertDefined(useContext(EnquiryContext), "enquiry form");
}
