/** Logging in by a form: what is asked for, the call, and the words when it fails (spec section 4). */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { CurrentUser } from "../../../schema/accounts.ts";
import { call } from "../../api.ts";
import { isSessionOver, queryClient } from "./client.ts";
import { failureWords } from "./messages.ts";

// Who is logged in, logging in and logging out (spec sections 4, 6 and 7, "Authentication").

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
async function logIn(username: string, password: string): Promise<void> {
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

interface LoginForm {
  readonly username: string;
  readonly password: string;
  readonly onLoggedIn: () => void | Promise<void>;
  readonly onFailure: (words: string) => void;
}

/** What the form does when it is sent, and whether the answer is awaited. */
export function useLogin({ username, password, onLoggedIn, onFailure }: LoginForm) {
  const [pending, setPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (username.trim() === "" || password === "") return onFailure("Please fill in all fields");
    setPending(true);
    try {
      await logIn(username.trim(), password);
      await onLoggedIn();
    } catch (error) {
      onFailure(failureWords(error, "Login failed"));
      setPending(false);
    }
  };
  return { pending, submit: (event: FormEvent) => void submit(event) };
}
