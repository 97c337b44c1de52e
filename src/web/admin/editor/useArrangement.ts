/** The home page's sections as the dashboard asks for them: fetched once, when a screen first needs to know. */
import { useQuery } from "@tanstack/react-query";
import { loadArrangement } from "../../previews/sectionPreviews.ts";
import { declareExtras } from "../data/extraDeclarations.ts";
import { useExtrasOn } from "../data/useExtrasOn.ts";

/** What says which sections stand in an order, those of extras that are on included; missing until their code is there. */
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
