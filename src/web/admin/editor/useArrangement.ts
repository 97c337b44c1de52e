/** The order of the home page's sections. The code is loaded when first needed. */
import { useQuery } from "@tanstack/react-query";
import { loadArrangement } from "../../previews/sectionPreviews.ts";
import { useEnabledExtras } from "../data/useEnabledExtras.ts";

/** Loads a function that orders the home page's sections. It is returned as `value`. */
export function useArrangement() {
  const enabledExtras = useEnabledExtras();
  const { data, error, refetch } = useQuery({
    queryKey: ["home-sections", ...enabledExtras],
    queryFn: async () => ({ arrange: await loadArrangement(enabledExtras) }),
  });
  return { value: data?.arrange, error, reload: () => void refetch() };
}
