/** The home page's sections for the dashboard: loaded once, when first needed. */
import { useQuery } from "@tanstack/react-query";
import { loadArrangement } from "../../previews/sectionPreviews.ts";
import { declareExtras } from "../data/extraDeclarations.ts";
import { useExtrasOn } from "../data/useExtrasOn.ts";

/** Arranges sections in an order, including extras that are on; undefined until its code is loaded. */
export function useArrangement() {
  const on = useExtrasOn();
  const { data, isError, refetch } = useQuery({
    queryKey: ["home-sections", ...on],
    queryFn: async () => {
      const [arrange] = await Promise.all([loadArrangement(on), on.length && declareExtras(on)]);
      return { arrange };
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return { arrange: data?.arrange, failed: isError, retry: () => void refetch() };
}
