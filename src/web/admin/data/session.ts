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

/** `value` is null if nobody is logged in. */
export const useCurrentUser = () => useApiQuery(currentUserQuery);

const CURRENT_USER_KEY: QueryKey = ["auth", "me"];

/** The response of GET /api/auth/passkey-login. */
interface LoginState {
  /** Whether passkeys can be used. */
  readonly possible: boolean;
  readonly isLoggedIn: boolean;
  readonly isSetUp: boolean;
}

/** The login page's data. Fails with an error if nobody can log in here. */
export function useLoginState() {
  return useQuery({
    queryKey: ["auth", "login"],
    queryFn: () => callApi<LoginState>("/api/auth/passkey-login"),
    // After a login or logout, a cached response would make two pages redirect to each other forever.
    gcTime: 0,
  });
}

/**
 * Reads the current user, cached for 5 minutes and not retried. A 401 means that nobody is logged in (specification,
 * section 4.13). When a session ends, the cached user remains, and a dialog asks for the password. Without the cached
 * user, the login page would replace the dashboard and everything open in it.
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

/** Records whether a user is logged in, for inline/preloadDashboard.ts, which preloads data at the next visit. */
function recordUser(user: CurrentUser | null): CurrentUser | null {
  setLoggedInMark(user !== null && hasPermission(user.role, "site"));
  return user;
}

/** `const hasPermission = usePermission(); hasPermission("content")`: whether the user's role has a permission. */
export function usePermission(): (permission: Permission) => boolean {
  const { value: user } = useCurrentUser();
  return (permission) => hasPermission(user?.role ?? "", permission);
}

/** Returns the server's reason why nobody can log in here. Undefined if logging in is possible. */
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
  /** Where failures are shown. Default: in a toast. */
  readonly failureField?: "password";
}

/**
 * The state of the login form. `isSecondFactorNeeded` means that the password is right and a second factor is needed
 * (frame/SecondFactor.tsx).
 */
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

/** Logs in with a username or an email address. Throws CallError with the server's message. */
export async function logIn(
  username: string,
  password: string,
  secondFactor: object = {},
): Promise<void> {
  const body = { username, password, ...secondFactor, timeZone: getBrowserTimeZone() };
  await startSession("/api/auth/login", () => body);
}

/**
 * Makes a call that logs in. If the browser blocks cookies, the session would be lost, so `createBody` isn't called and
 * no one-time link is used up. Throws CallError.
 */
export async function startSession(
  path: string,
  createBody: () => object | Promise<object>,
): Promise<void> {
  if (!navigator.cookieEnabled) throw new CallError("Allow cookies for this site to log in.", 400);
  setCurrentUser(await callApi<CurrentUser>(path, { method: "POST", body: await createBody() }));
}

/** Logs out and clears the cache. Throws CallError. */
export async function logOut(): Promise<void> {
  await callApi("/api/auth/logout", { method: "POST", body: {} });
  queryClient.clear();
  setCurrentUser(null);
}

/** A login from a new browser. The user hasn't confirmed the login yet. */
export interface UnseenLogin {
  readonly id: string;
  readonly at: string;
  readonly browser: string | null;
  readonly address: string | null;
}
