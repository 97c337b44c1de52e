/** A text with a copy button. */
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useState } from "react";
import { Button } from "./Button.tsx";
import { IconButton } from "./IconButton.tsx";
import { toastError } from "./messages.ts";

/** Returns whether the text has been copied, and a function that copies it. A failure is shown in a toast. */
export function useCopyToClipboard(text: string): readonly [boolean, () => void] {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      toastError("Couldn't copy. Select the text and copy it yourself.");
    }
  };
  return [isCopied, () => void copy()];
}

interface CopyButtonProps {
  /** The accessible name of a button with only an icon, such as "Copy the link". */
  readonly label?: string;
  /** The name of the text where several texts can be copied. The button then reads "Copy", and `label` isn't used. */
  readonly subject?: string;
  readonly text: string;
  /** The visible text, if it differs from `text`, such as groups of four characters. */
  readonly displayText?: string;
}

export function CopyButton({ label = "Copy", subject, text, displayText = text }: CopyButtonProps) {
  const [isCopied, copy] = useCopyToClipboard(text);
  const Icon = isCopied ? Check : Copy;
  const actionLabel = isCopied ? "Copied" : "Copy";
  return (
    <p className="ui-copied justify-between row">
      <code>{displayText}</code>
      {subject ? (
        <Button size="small" aria-label={`${actionLabel}: ${subject}`} onClick={copy}>
          <Icon size={16} aria-hidden="true" />
          {actionLabel}
        </Button>
      ) : (
        <IconButton icon={Icon} label={isCopied ? "Copied" : label} onClick={copy} />
      )}
    </p>
  );
}
