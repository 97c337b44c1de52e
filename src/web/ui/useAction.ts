/** An action started by a press: its pending state, and the messages about its result. */
import { useRef, useState } from "react";
import { type Failure, toastFailure, toastSuccess } from "./messages.ts";
import { dismissToast } from "./toast.ts";

interface ActionOptions<T> {
  /** Shown when it fails without a reason from the server. */
  readonly failure: Failure;
  /** Shown when it succeeds; by default nothing. */
  readonly success?: string | ((done: T) => string) | undefined;
  /** Runs at the end in any case: closes the dialog, reloads. */
  readonly after?: () => unknown;
  /** Shows a failure elsewhere and returns true; otherwise a toast shows it. */
  readonly show?: (error: unknown) => boolean;
}

/**
 * `const [pending, retry] = useAction(() => retryMessage(id), { failure: "Failed to try again" })`. A failure's toast
 * is dismissed when the next try starts.
 */
export function useAction<Given extends readonly unknown[], T>(
  act: (...given: Given) => Promise<T>,
  { failure, success, after, show }: ActionOptions<T>,
) {
  const [pending, setPending] = useState(false);
  const told = useRef<number>(undefined);
  const run = async (...given: Given) => {
    if (told.current !== undefined) dismissToast(told.current);
    setPending(true);
    try {
      const done = await act(...given);
      if (success !== undefined)
        toastSuccess(typeof success === "string" ? success : success(done));
    } catch (error) {
      if (!show?.(error)) told.current = toastFailure(error, failure);
    }
    await after?.();
    setPending(false);
  };
  return [pending, (...given: Given) => void run(...given)] as const;
}
