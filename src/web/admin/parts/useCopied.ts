/** Copying a text that is needed elsewhere. */
import { useState } from "react";
import { toastError } from "../../ui/messages.ts";

/** `const [isCopied, copy] = useCopied(address);` Where the browser doesn't copy, that is said. */
export function useCopied(text: string): readonly [boolean, () => void] {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      toastError("This browser doesn't copy. Select the text, and copy it by hand.");
    }
  };
  return [isCopied, () => void copy()];
}
