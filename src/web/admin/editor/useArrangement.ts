/** The home page's sections in order. Loaded when first needed. */
import { useQuery } from "@tanstack/react-query";
import { loadArrangement } from "../../previews/sectionPreviews.ts";
import { useEnabledExtras } from "../data/useEnabledExtras.ts";

/** `value` is a function that arranges the sections, including enabled extras. */
export function useArrangement() {
  const on = useEnabledExtras();
  const { data, error, refetch } = useQuery({
    queryKey: ["home-sections", ...on],
    queryFn: async () => ({ arrange: await loadArrangement(on) }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return { value: data?.arrange, error, reload: () => void refetch() };
}
