/** An action started by a press: its pending state, and messages about its result. */
import { useRef, useState } from "react";
import { type FailureMessage, getFailureMessage, toastError, toastSuccess } from "./messages.ts";
import { dismissToast } from "./toast.ts";

export interface ActionOptions<T> {
  /** The message of a failure for which the server gives no reason. */
  readonly failure?: FailureMessage;
  /** The message after success. Default: none. */
  readonly success?: string | ((result: T) => string) | undefined;
  /** Runs after success and failure, for example to close a dialog. */
  readonly onSettled?: () => unknown;
  /** Shows a failure in place of the toast, unless it returns false. */
  readonly showFailure?: (reason: string, error: unknown) => unknown;
}

/**
 * Returns whether the action is running, and a function that runs it. The next attempt dismisses a failure's toast.
 * Example: `const [isPending, retry] = useAction(() => retryMessage(id), { failure: "Failed to try again" })`.
 */
export function useAction<Args extends readonly unknown[], T>(
  act: (...args: Args) => Promise<T>,
  { failure = UNKNOWN_FAILURE_MESSAGE, success, onSettled, showFailure }: ActionOptions<T> = {},
) {
  const [isPending, setPending] = useState(false);
  const toastIdRef = useRef<number>(undefined);
  const run = async (...args: Args) => {
    if (toastIdRef.current !== undefined) dismissToast(toastIdRef.current);
    setPending(true);
    try {
      const result = await act(...args);
      if (success !== undefined)
        toastSuccess(typeof success === "string" ? success : success(result));
    } catch (error) {
      const reason = getFailureMessage(error, failure);
      const isShown = showFailure !== undefined && showFailure(reason, error) !== false;
      if (!isShown) toastIdRef.current = toastError(reason);
    }
    try {
      await onSettled?.();
    } finally {
      setPending(false);
    }
  };
  return [isPending, (...args: Args) => void run(...args)] as const;
}

const UNKNOWN_FAILURE_MESSAGE = "Something went wrong. Try again.";
