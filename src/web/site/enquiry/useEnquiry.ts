/** The hook with which components read the enquiry's state. It also subscribes the component to changes. */
import { useSignals } from "@preact/signals-react/runtime";
import { createContext, useContext } from "react";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { EnquiryState } from "./enquiryState.ts";

const EnquiryContext = createContext<EnquiryState | null>(null);

export const EnquiryProvider = EnquiryContext.Provider;

/**
 * Returns the state of the form that contains the component. The component is rendered again when the state changes.
 */
export function useEnquiryState(): EnquiryState {
  useSignals();
  return assertDefined(useContext(EnquiryContext), "enquiry form");
}
