/** The current user, logging in and logging out. */
import { type QueryKey, queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CurrentUser } from "../../../schema/people/accounts.ts";
import { hasPermission, type Permission } from "../../../schema/core/roles.ts";
import { callApi, CallError } from "../../shared/api.ts";
import { getBrowserTimeZone } from "../../shared/localTime.ts";
import { setLoggedInMark } from "../../shared/dashboardPreload.ts";
import { api, isSessionOver, queryClient } from "./client.ts";
import { useApiQuery } from "./apiQuery.ts";
import { useForm, useFormValues } from "../../ui/Form.tsx";

export const useCurrentUser = () => useApiQuery(currentUserQuery);

const CURRENT_USER_KEY: QueryKey = ["auth", "me"];

interface LoginState {
  readonly possible: boolean;
  readonly isLoggedIn: boolean;
  readonly isSetUp: boolean;
}

/** Reads the login page's data. Fails if all logins are refused, for example over an unencrypted connection. */
export function useLoginState() {
  return useQuery({
    queryKey: ["auth", "login"],
    queryFn: () => callApi<LoginState>("/api/auth/passkey-login"),
    // Not cached: after a login or logout, an outdated response would make two pages redirect to each other forever.
    gcTime: 0,
  });
}

/**
 * Reads the current user. A 401 means that nobody is logged in (specification, section 4.13). When a session ends, the
 * cached user remains: otherwise the login page would replace the dashboard, and open dialogs would be lost.
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

export const getCachedUser = () => queryClient.getQueryData<CurrentUser | null>(CURRENT_USER_KEY);

/** Records whether an owner is logged in. At the next visit, inline/preloadDashboard.ts then preloads the data. */
function recordUser(user: CurrentUser | null): CurrentUser | null {
  setLoggedInMark(user !== null && hasPermission(user.role, "site"));
  return user;
}

/** Returns a function that checks a permission of the user's role: `usePermission()("content")`. */
export function usePermission(): (permission: Permission) => boolean {
  const { value: user } = useCurrentUser();
  return (permission) => hasPermission(user?.role ?? "", permission);
}

/** Returns the server's reason for refusing all logins. Undefined for other errors. */
export function describeRefusal(error: Error | null): string | undefined {
  return error instanceof CallError && error.status === 403
    ? error.message || undefined
    : undefined;
}

export function setCurrentUser(user: CurrentUser | null): void {
  queryClient.setQueryData(currentUserQuery.queryKey, recordUser(user));
}

interface LoginOptions {
  readonly username?: string;
  readonly onLoggedIn: () => void | Promise<void>;
  /** The field that shows why the login failed. Default: a toast. */
  readonly failureField?: "password";
}

/** Returns the login form. `isSecondFactorNeeded` is true once the password is accepted but doesn't suffice. */
export function useLogin({ username = "", onLoggedIn, failureField }: LoginOptions) {
  const [isSecondFactorNeeded, setSecondFactorNeeded] = useState(false);
  const form = useForm(useFormValues({ username, password: "" }), {
    save: async (values) => {
      if (values.username.trim() === "" || values.password === "")
        throw new CallError("Please fill in all fields", 400);
      try {
        await logIn(values.username.trim(), values.password);
      } catch (error) {
        if (!isSecondFactorError(error)) throw error;
        return setSecondFactorNeeded(true);
      }
      await onLoggedIn();
    },
    failure: "Login failed",
    failureField,
  });
  return { form, isSecondFactorNeeded };
}

const isSecondFactorError = (error: unknown) =>
  error instanceof CallError && error.body.code === "second_factor";

/** Logs in with a username or an email address. Throws CallError. */
export async function logIn(
  username: string,
  password: string,
  secondFactor: object = {},
): Promise<void> {
  const body = { username, password, ...secondFactor, timeZone: getBrowserTimeZone() };
  await startSession("/api/auth/login", () => body);
}

/**
 * Makes a call that logs in. Throws CallError before the call if the browser refuses cookies, so that a one-time link
 * isn't used up in vain.
 */
export async function startSession(
  path: string,
  createBody: () => object | Promise<object>,
): Promise<void> {
  if (!navigator.cookieEnabled) throw new CallError("Allow cookies for this site to log in.", 400);
  setCurrentUser(await callApi<CurrentUser>(path, { method: "POST", body: await createBody() }));
}

export async function logOut(): Promise<void> {
  await callApi("/api/auth/logout", { method: "POST", body: {} });
  queryClient.clear();
  setCurrentUser(null);
}

/** A login from a new browser that the user hasn't confirmed yet. */
export interface UnseenLogin {
  readonly id: string;
  readonly at: string;
  readonly browser: string | null;
  readonly address: string | null;
}
