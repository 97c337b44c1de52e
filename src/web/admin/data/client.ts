/** The dashboard's API client: its cache, and its handling of ended sessions. */
import { signal } from "@preact/signals-react";
import { QueryClient } from "@tanstack/react-query";
import { type CallOptions, callWithHeaders, CallError } from "../../shared/api.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";

/** Never stale unless a query sets it; no refetch on focus or by a timer, no retries. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // Offline, requests must fail with a message instead of waiting.
      networkMode: "always",
    },
  },
});

/**
 * API calls for users who are logged in: `await api.post<MailTest>("/api/mail/test", {})`. Each waits out an ended
 * session, sends and returns JSON, and throws CallError.
 */
export const api = {
  get: <T>(path: string) => requestBody<T>(path),
  post: <T>(path: string, body?: unknown) => requestBody<T>(path, { method: "POST", body }),
  put: <T>(path: string, body?: unknown) => requestBody<T>(path, { method: "PUT", body }),
  delete: <T>(path: string) => requestBody<T>(path, { method: "DELETE" }),
  /** Any of these, with the response's headers: a list's total, an ETag. */
  call: <T>(path: string, options?: CallOptions) =>
    retryWithSession(() => callWithHeaders<T>(path, options)),
};

async function requestBody<T>(path: string, options?: CallOptions): Promise<T> {
  return (await api.call<T>(path, options)).body;
}

/**
 * Makes a call; if it is refused without a session or a proof, waits for the owner to log in or type the password, and
 * repeats it once. For what `api` can't do, such as uploads. Throws CallError.
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
    if (!(await requestAccess?.())) throw withoutHtmlMessage(error);
    return await makeCall();
  }
}

/** A proxy in between may answer with an HTML page, which is no message for people. */
function withoutHtmlMessage(error: unknown): unknown {
  if (error instanceof CallError && error.message.startsWith("<")) error.message = "";
  return error;
}

/** Whether a new login would fix the refusal. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof CallError && error.status === 401;
}

const isReauthenticationNeeded = (error: unknown) =>
  error instanceof CallError && error.body.code === "proof_needed";

/** Set while calls wait for the owner; a dialog resolves it. */
export interface ReauthenticationWait {
  /** Done: the waiting requests are repeated. */
  readonly resume: () => void;
  /** Not now: the waiting requests fail with their refusals. */
  readonly giveUp: () => void;
}

const sessionWait = signal<ReauthenticationWait | null>(null);
const reauthenticationWait = signal<ReauthenticationWait | null>(null);

/** Opens the "Log in again" dialog; null while the session is fine. */
export const useSessionWait = () => useSignalValue(sessionWait);

/** Opens the dialog for the password. */
export const useReauthenticationWait = () => useSignalValue(reauthenticationWait);

/** The calls that wait for the password fail with their refusals. */
export const cancelReauthentication = () => reauthenticationWait.value?.giveUp();

const requestLogin = createWaiter(sessionWait);
const requestReauthentication = createWaiter(reauthenticationWait);

/** All calls share one dialog. */
function createWaiter(wait: { value: ReauthenticationWait | null }): () => Promise<boolean> {
  let waiting: Promise<boolean> | undefined;
  return () =>
    (waiting ??= new Promise((resolve) => {
      const end = (done: boolean) => {
        waiting = undefined;
        wait.value = null;
        resolve(done);
      };
      wait.value = { resume: () => end(true), giveUp: () => end(false) };
    }));
}
