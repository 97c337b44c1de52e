/** A text that is needed elsewhere, with a button that copies it. */
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useState } from "react";
import { Button } from "./Button.tsx";
import { IconButton } from "./IconButton.tsx";
import { toastError } from "./messages.ts";

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

interface CopiedProps {
  /** Of the button, which is an icon alone: "Copy the link". */
  readonly label?: string;
  /** Instead: what is copied, where several stand together. The button then reads "Copy". */
  readonly what?: string;
  readonly text: string;
  /** As it is read, where that is easier: in groups of four, say. */
  readonly shown?: string;
}

export function Copied({ label = "Copy", what, text, shown = text }: CopiedProps) {
  const [isCopied, copy] = useCopied(text);
  const Icon = isCopied ? Check : Copy;
  const word = isCopied ? "Copied" : "Copy";
  return (
    <p className="ui-copied">
      <code>{shown}</code>
      {what ? (
        <Button size="small" aria-label={`${word}: ${what}`} onClick={copy}>
          <Icon size={16} aria-hidden="true" />
          {word}
        </Button>
      ) : (
        <IconButton icon={Icon} label={isCopied ? "Copied" : label} onClick={copy} />
      )}
    </p>
  );
}
