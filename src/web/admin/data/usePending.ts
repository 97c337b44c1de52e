/** Whether an action is still running, for its button. */
import { useState } from "react";

/** `const [pending, run] = usePending(); <Button pending={pending} onClick={() => run(save)}>` */
export function usePending() {
  const [pending, setPending] = useState(false);
  const run = async <T>(act: () => Promise<T>): Promise<T> => {
    setPending(true);
    try {
      return await act();
    } finally {
      setPending(false);
    }
  };
  return [pending, run] as const;
}
