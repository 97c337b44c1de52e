/** Who is logged in, logging in and logging out (spec sections 4, 6 and 7, "Authentication"). */
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { CurrentUser } from "../../../schema/accounts.ts";
import { call } from "../../api.ts";
import { queryClient } from "./client.ts";
import { isSessionOver } from "./session.ts";

/** The current user: cached for 5 minutes, not retried; a 401 is no user (spec section 6). */
export const currentUserQuery = queryOptions({
  queryKey: ["auth", "me"],
  staleTime: 300_000,
  queryFn: async (): Promise<CurrentUser | null> => {
    try {
      return await call<CurrentUser>("/api/auth/me");
    } catch (error) {
      if (isSessionOver(error)) return null;
      throw error;
    }
  },
});

/** The state of the current-user query: `data` is null when nobody is logged in. */
export function useCurrentUser() {
  return useQuery(currentUserQuery);
}

/** Logs in with a username or an e-mail address. Throws CallFailed with the server's words. */
export async function logIn(username: string, password: string): Promise<void> {
  const user = await call<CurrentUser>("/api/auth/login", {
    method: "POST",
    body: { username, password },
  });
  queryClient.setQueryData(currentUserQuery.queryKey, user);
}

/** Logs out and forgets everything that was read (spec section 4, "Authentication"). */
export async function logOut(): Promise<void> {
  await call("/api/auth/logout", { method: "POST", body: {} });
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, null);
}
