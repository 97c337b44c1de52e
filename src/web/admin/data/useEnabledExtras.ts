/** The extras that are on, and the one added last. */
import { signal } from "@preact/signals-react";
import { usePageContext } from "../../shared/pageContext.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";
import { useEntity } from "./useEntity.ts";

/** The list that the page contains, or the newer one in the cache once another component has read it. */
export function useEnabledExtras(): readonly string[] {
  const { extras = [] } = usePageContext();
  const { value } = useEntity("extras", undefined, { enabled: false });
  return value?.on ?? extras;
}

const lastAddedExtra = signal<string | null>(null);

/** The extra added last, until its tab is left. */
export const useLastAddedExtra = () => useSignalValue(lastAddedExtra);

export const setLastAddedExtra = (key: string | null) => void (lastAddedExtra.value = key);
