/** The current user, logging in and logging out. */
import { type QueryKey, queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CurrentUser } from "../../../schema/people/accounts.ts";
import { hasPermission, type Permission } from "../../../schema/core/roles.ts";
import { callApi, CallError } from "../../shared/api.ts";
import { rememberLogin } from "../../shared/inside.ts";
import { api, isSessionOver, queryClient } from "./client.ts";
import { useResource } from "./resource.ts";
import { useForm, useFormValues } from "../../ui/Form.tsx";

/** The current user: `value` is null if nobody is logged in. */
export const useCurrentUser = () => useResource(currentUserQuery);

const CURRENT_USER_KEY: QueryKey = ["auth", "me"];

/** The response of GET /api/auth/passkey-login. */
interface LoginState {
  /** Whether a passkey can be used. */
  readonly possible: boolean;
  readonly isLoggedIn: boolean;
  /** Whether the site has an owner. */
  readonly isSetUp: boolean;
}

/** The login page's data; an error if nobody can log in at all. */
export function useLoginState() {
  return useQuery({
    queryKey: ["auth", "login"],
    queryFn: () => callApi<LoginState>("/api/auth/passkey-login"),
    // Cached past its session, it would redirect back and forth forever.
    gcTime: 0,
  });
}

/**
 * The current user: cached for 5 minutes, not retried; a 401 means none (specification, section 4.13). When a session
 * ends, the user stays cached and the password is asked for in place: without a user the login page would replace the
 * dashboard, with everything open in it.
 */
const currentUserQuery = queryOptions({
  queryKey: CURRENT_USER_KEY,
  staleTime: 300_000,
  queryFn: async (): Promise<CurrentUser | null> => {
    const cached = getCachedUser();
    try {
      return recordUser(await (cached ? api.get : callApi)<CurrentUser>("/api/auth/me"));
    } catch (error) {
      if (isSessionOver(error)) return cached ?? recordUser(null);
      throw error;
    }
  },
});

/** The user when last read. */
export const getCachedUser = () => queryClient.getQueryData<CurrentUser | null>(CURRENT_USER_KEY);

/** Records the user; the next visit preloads what they read (inline/owner.ts). */
function recordUser(user: CurrentUser | null): CurrentUser | null {
  rememberLogin(user !== null && hasPermission(user.role, "site"));
  return user;
}

/** Whether the user's role has a permission: `const may = usePermission(); may("content")`. */
export function usePermission(): (permission: Permission) => boolean {
  const { value: user } = useCurrentUser();
  return (permission) => hasPermission(user?.role ?? "", permission);
}

/** The server's reason why nobody can log in here; undefined if they can. */
export function describeRefusal(error: Error | null): string | undefined {
  return error instanceof CallError && error.status === 403 ? error.message : undefined;
}

/** Sets the current user, or null. */
export function setCurrentUser(user: CurrentUser | null): void {
  queryClient.setQueryData(currentUserQuery.queryKey, recordUser(user));
}

interface LoginOptions {
  readonly username?: string;
  readonly onLoggedIn: () => void | Promise<void>;
  /** The place where failures are shown; default: a toast. */
  readonly failsAt?: "password";
}

/** The login form. `wantsMore`: the password is right and a second factor is needed (frame/SecondFactor.tsx). */
export function useLogin({ username = "", onLoggedIn, failsAt }: LoginOptions) {
  const [wantsMore, setWantsMore] = useState(false);
  const form = useForm(useFormValues({ username, password: "" }), {
    save: async (typed) => {
      if (typed.username.trim() === "" || typed.password === "")
        throw new CallError("Please fill in all fields", 400);
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
  error instanceof CallError && error.body.code === "second_factor";

/** The site's zone until its owner sets one. */
export const browserTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Takes a username or an email address. Throws CallError with the server's message. */
export async function logIn(username: string, password: string, more: object = {}): Promise<void> {
  const body = { username, password, ...more, timeZone: browserTimeZone() };
  setCurrentUser(await callApi<CurrentUser>("/api/auth/login", { method: "POST", body }));
}

/** Logs out and clears the cache. Throws CallError. */
export async function logOut(): Promise<void> {
  await callApi("/api/auth/logout", { method: "POST", body: {} });
  queryClient.clear();
  setCurrentUser(null);
}

/** A login from a new browser, until the user confirms it. */
export interface UnseenLogin {
  readonly id: string;
  readonly at: string;
  readonly browser: string | null;
  readonly address: string | null;
}
