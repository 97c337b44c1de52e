/** Who is logged in, logging in and logging out. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CurrentUser } from "../../../schema/accounts.ts";
import { mayDo, type Permission } from "../../../schema/roles.ts";
import { call, CallFailed } from "../../shared/api.ts";
import { noteInside } from "../../shared/inside.ts";
import { api, isSessionOver, queryClient } from "./client.ts";
import { useForm, useValues } from "../../ui/Form.tsx";

/** The state of the current-user query: `data` is null when nobody is logged in. */
export function useCurrentUser() {
  return useQuery(currentUserQuery);
}

/** As GET /api/auth/passkey-login returns it. */
interface LoginState {
  /** Whether a passkey can be used. */
  readonly possible: boolean;
  readonly isLoggedIn: boolean;
  /** Whether the site has an owner. */
  readonly isSetUp: boolean;
}

/** What the login has to know; an error where nobody can log in at all. */
export function useLoginState() {
  return useQuery({
    queryKey: ["auth", "login"],
    queryFn: () => call<LoginState>("/api/auth/passkey-login"),
    // True of a session that has ended, it would lead to the dashboard and back for ever.
    gcTime: 0,
  });
}

/**
 * The current user: cached for 5 minutes, not retried; a 401 is no user (specification, section 4.13).
 * Whose session has ended stays who they are and is asked for the password in place: without a user the
 * dashboard would make way for the login page, with everything that is open in it.
 */
const currentUserQuery = queryOptions({
  queryKey: ["auth", "me"],
  staleTime: 300_000,
  queryFn: async (): Promise<CurrentUser | null> => {
    const known = knownUser();
    try {
      return noted(await (known ? api.get : call)<CurrentUser>("/api/auth/me"));
    } catch (error) {
      if (isSessionOver(error)) return known ?? noted(null);
      throw error;
    }
  },
});

/** Who was logged in when that was read last. */
export const knownUser = () => queryClient.getQueryData<CurrentUser | null>(["auth", "me"]);

/** Who is there; the next visit asks for what they read ahead of the code (inline/owner.ts). */
function noted(user: CurrentUser | null): CurrentUser | null {
  noteInside(user !== null && mayDo(user.role, "site"));
  return user;
}

/** Whether the role of who is logged in has a permission: `const may = useMay(); may("content")`. */
export function useMay(): (permission: Permission) => boolean {
  const { data: user } = useCurrentUser();
  return (permission) => mayDo(user?.role ?? "", permission);
}

/** Why nobody can log in here at all, as the server says; undefined where one can. */
export function refusedWords(error: Error | null): string | undefined {
  return error instanceof CallFailed && error.status === 403 ? error.message : undefined;
}

/** Notes who is logged in from now on, or that nobody is. */
export function rememberUser(user: CurrentUser | null): void {
  queryClient.setQueryData(currentUserQuery.queryKey, noted(user));
}

interface LoginOptions {
  readonly username?: string;
  readonly onLoggedIn: () => void | Promise<void>;
  /** Where a failure stands; a toast says it by default. */
  readonly failsAt?: "password";
}

/**
 * The form of a login. `wantsMore`: the password is right, and a second factor is asked for
 * (frame/SecondFactor.tsx).
 */
export function useLogin({ username = "", onLoggedIn, failsAt }: LoginOptions) {
  const [wantsMore, setWantsMore] = useState(false);
  const form = useForm(useValues({ username, password: "" }), {
    save: async (typed) => {
      if (typed.username.trim() === "" || typed.password === "")
        throw new CallFailed("Please fill in all fields", 400);
      try {
        await logIn(typed.username.trim(), typed.password);
      } catch (error) {
        if (!isSecondFactorWanted(error)) throw error;
        return setWantsMore(true);
      }
      await onLoggedIn();
    },
    failure: "Login failed",
    failsAt,
  });
  return { form, wantsMore };
}

const isSecondFactorWanted = (error: unknown) =>
  error instanceof CallFailed && error.body.code === "second_factor";

/** The site goes by it until its owner says otherwise. */
export const browserZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Takes a username or an email address. Throws CallFailed with the server's words. */
export async function logIn(username: string, password: string, more: object = {}): Promise<void> {
  const body = { username, password, ...more, timeZone: browserZone() };
  rememberUser(await call<CurrentUser>("/api/auth/login", { method: "POST", body }));
}

/** Logs out and forgets everything that was read. Throws CallFailed. */
export async function logOut(): Promise<void> {
  await call("/api/auth/logout", { method: "POST", body: {} });
  queryClient.clear();
  rememberUser(null);
}

/** A login to the own account from another browser, until its person has said that it was them. */
export interface UnseenLogin {
  readonly id: string;
  readonly at: string;
  readonly browser: string | null;
  readonly address: string | null;
}
