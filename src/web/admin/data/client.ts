/** How the dashboard asks the server: what it remembers, and what it does when the session has ended. */
import { signal } from "@preact/signals-react";
import { QueryClient } from "@tanstack/react-query";
import { CallFailed } from "../../shared/api.ts";

/** Never stale unless a query says so, never read again on focus or by the clock, never retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // Offline, requests must fail with a message instead of waiting in silence.
      networkMode: "always",
    },
  },
});

/** Makes a call; on a 401 waits for a new login and makes it once more. Throws CallFailed. */
export async function withSession<T>(makeCall: () => Promise<T>): Promise<T> {
  try {
    return await makeCall();
  } catch (error) {
    if (!isSessionOver(error) || !(await loggedInAgain())) throw error;
    return await makeCall();
  }
}

/** True for a refusal that a new login would cure. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof CallFailed && error.status === 401;
}

/** Open while calls wait for a new session; the "Log in again" dialog answers it. */
interface SessionWait {
  /** Logged in again: the waiting requests are repeated. */
  readonly resume: () => void;
  /** Not now: the waiting requests fail with the refusals they got. */
  readonly giveUp: () => void;
}

/** What the dialog shows; null while the session is fine. */
export const sessionWait = signal<SessionWait | null>(null);

let waiting: Promise<boolean> | undefined;

/** All calls wait for the same login. */
function loggedInAgain(): Promise<boolean> {
  waiting ??= new Promise((resolve) => {
    const end = (loggedIn: boolean) => {
      waiting = undefined;
      sessionWait.value = null;
      resolve(loggedIn);
    };
    sessionWait.value = { resume: () => end(true), giveUp: () => end(false) };
  });
  return waiting;
}
