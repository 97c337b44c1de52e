/** The dashboard's API client: its cache, and calls that are repeated after a new login. */
import { signal } from "@preact/signals-react";
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
} from "@tanstack/react-query";
import { type CallOptions, callWithHeaders, CallError } from "../../shared/api.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";

/**
 * A query client whose `invalidateQueries` also refetches queries that are loading for the first time. By default,
 * TanStack Query only waits for their running request, which the server may have answered before the write.
 */
class DashboardQueryClient extends QueryClient {
  override async invalidateQueries(
    filters?: InvalidateQueryFilters,
    options?: InvalidateOptions,
  ): Promise<void> {
    const firstLoads = this.getQueryCache().findAll(filters).filter(isFirstLoad);
    await super.invalidateQueries(filters, options);
    if (firstLoads.length === 0) return;
    const predicate = (query: Query) => firstLoads.includes(query);
    await super.invalidateQueries({ ...filters, predicate }, options);
  }
}

const isFirstLoad = ({ state }: Query) =>
  state.data === undefined && state.fetchStatus === "fetching";

/** The cache of all data read from the server. By default, cached data never becomes stale. */
export const queryClient = new DashboardQueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // By default, offline requests wait for a connection. With "always" they fail, and a message is shown.
      networkMode: "always",
    },
  },
});

/** API calls for logged-in users: `await api.post<MailTest>("/api/mail/test", {})`. Failed calls throw CallError. */
export const api = {
  get: <T>(path: string) => fetchBody<T>(path),
  post: <T>(path: string, body?: unknown) => fetchBody<T>(path, { method: "POST", body }),
  put: <T>(path: string, body?: unknown) => fetchBody<T>(path, { method: "PUT", body }),
  delete: <T>(path: string) => fetchBody<T>(path, { method: "DELETE" }),
  /** Makes a call and also returns the response's headers, such as a list's total or an ETag. */
  call: <T>(path: string, options?: CallOptions) =>
    retryWithSession(() => callWithHeaders<T>(path, options)),
};

async function fetchBody<T>(path: string, options?: CallOptions): Promise<T> {
  return (await api.call<T>(path, options)).body;
}

/**
 * Makes a call. If the server refuses it because the session has ended or the password must be confirmed, waits for the
 * user and repeats it once. Throws CallError.
 */
export async function retryWithSession<T>(makeCall: () => Promise<T>): Promise<T> {
  try {
    return await makeCall();
  } catch (error) {
    const requestAccess = isSessionOver(error)
      ? requestLogin
      : isReauthenticationNeeded(error)
        ? requestReauthentication
        : undefined;
    if (!(await requestAccess?.())) throw error;
    return await makeCall();
  }
}

export function isSessionOver(error: unknown): boolean {
  return error instanceof CallError && error.status === 401;
}

const isReauthenticationNeeded = (error: unknown) =>
  error instanceof CallError && error.body.code === "proof_needed";

/** Refused calls that wait until the user has logged in or confirmed the password. */
export interface AccessWait {
  readonly resume: () => void;
  readonly cancel: () => void;
}

const sessionWait = signal<AccessWait | null>(null);
const reauthenticationWait = signal<AccessWait | null>(null);

/** Returns the calls that wait for a new login. Null if no call waits. */
export const useSessionWait = () => useSignalValue(sessionWait);

/** Returns the calls that wait for a confirmed password. Null if no call waits. */
export const useReauthenticationWait = () => useSignalValue(reauthenticationWait);

export const cancelLogin = () => sessionWait.value?.cancel();

export const cancelReauthentication = () => reauthenticationWait.value?.cancel();

const requestLogin = createAccessRequest(sessionWait);
const requestReauthentication = createAccessRequest(reauthenticationWait);

/** Returns a function that shows a dialog and resolves to whether the user confirmed. Calls share one dialog. */
function createAccessRequest(waitSignal: { value: AccessWait | null }): () => Promise<boolean> {
  let pendingRequest: Promise<boolean> | undefined;
  return () =>
    (pendingRequest ??= new Promise((resolve) => {
      const endWait = (isConfirmed: boolean) => {
        pendingRequest = undefined;
        waitSignal.value = null;
        resolve(isConfirmed);
      };
      waitSignal.value = { resume: () => endWait(true), cancel: () => endWait(false) };
    }));
}
