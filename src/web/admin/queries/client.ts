/** The dashboard's memory of what the server answered (spec sections 4 and 9, "Client cache behaviour"). */
import { QueryClient } from "@tanstack/react-query";

/** Never stale unless a query says so, never asked again on focus or by the clock, never retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // Offline calls must fail with words instead of waiting in silence.
      networkMode: "always",
    },
    mutations: { retry: false, networkMode: "always" },
  },
});
