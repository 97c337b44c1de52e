/** The extras that are enabled, and the extra that was added last. */
import { signal } from "@preact/signals-react";
import { usePageContext } from "../../shared/pageContext.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";
import { useEntity } from "./useEntity.ts";

/** Returns the keys of the enabled extras. Until a component has read the list, it comes from the page's context. */
export function useEnabledExtras(): readonly string[] {
  const { extras = [] } = usePageContext();
  const { value } = useEntity("extras", undefined, { enabled: false });
  return value?.on ?? extras;
}

const lastAddedExtra = signal<string | null>(null);

/** Returns the key of the extra that was added last. Null once the user has left its tab. */
export const useLastAddedExtra = () => useSignalValue(lastAddedExtra);

export const setLastAddedExtra = (key: string | null) => void (lastAddedExtra.value = key);
