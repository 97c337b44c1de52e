/** The home page's sections as the dashboard asks for them: fetched once, when a screen first needs to know. */
import { useQuery } from "@tanstack/react-query";
import { loadArrangement } from "../../previews/sectionPreviews.ts";

/** What says which sections stand in an order; missing until the sections' code is there. */
export function useArrangement() {
  const { data, isError, refetch } = useQuery({
    queryKey: ["home-sections"],
    queryFn: async () => ({ arrange: await loadArrangement() }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return { arrange: data?.arrange, failed: isError, retry: () => void refetch() };
}
