/** The home page's sections in order. Loaded when first needed. */
import { useQuery } from "@tanstack/react-query";
import { loadArrangement } from "../../previews/sectionPreviews.ts";
import { useEnabledExtras } from "../data/useEnabledExtras.ts";

/** `value` is a function that arranges the sections, including enabled extras. */
export function useArrangement() {
  const enabledExtras = useEnabledExtras();
  const { data, error, refetch } = useQuery({
    queryKey: ["home-sections", ...enabledExtras],
    queryFn: async () => ({ arrange: await loadArrangement(enabledExtras) }),
  });
  return { value: data?.arrange, error, reload: () => void refetch() };
}
