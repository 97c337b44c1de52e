/** The enabled extras, and the extra that was added last. */
import { signal } from "@preact/signals-react";
import { usePageContext } from "../../shared/pageContext.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";
import { useEntity } from "./useEntity.ts";

/** Returns the list in the page or, once another component has read it again, the newer list in the cache. */
export function useEnabledExtras(): readonly string[] {
  const { extras = [] } = usePageContext();
  const { value } = useEntity("extras", undefined, { enabled: false });
  return value?.on ?? extras;
}

const lastAddedExtra = signal<string | null>(null);

/** Returns the key of the extra that was added last, until its tab is left. */
export const useLastAddedExtra = () => useSignalValue(lastAddedExtra);

export const setLastAddedExtra = (key: string | null) => void (lastAddedExtra.value = key);
