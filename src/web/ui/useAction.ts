/** What a press starts: whether it is under way, and what is said of how it went. */
import { useRef, useState } from "react";
import { type Failure, toastFailure, toastSuccess } from "./messages.ts";
import { dismissToast } from "./toast.ts";

interface ActionOptions<T> {
  /** Said when it fails and the server gives no reason. */
  readonly failure: Failure;
  /** Said when it works; without it the screen shows it. */
  readonly success?: string | ((done: T) => string) | undefined;
  /** Runs in the end, however it went: closes the question, reads again. */
  readonly after?: () => unknown;
  /** Shows a failure in its own place and returns true; else a toast says it. */
  readonly show?: (error: unknown) => boolean;
}

/**
 * `const [pending, retry] = useAction(() => retryMessage(id), { failure: "Failed to try again" })`. The
 * words of a failure leave when the next try starts.
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
