/** A text that is needed elsewhere, with a button that copies it. */
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";

export function Copied({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className="mail-copied">
      <input readOnly aria-label={label} value={text} onFocus={({ target }) => target.select()} />
      <Button size="small" aria-label={`Copy: ${label}`} onClick={() => void copy()}>
        {isCopied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
        {isCopied ? "Copied" : "Copy"}
      </Button>
    </div>
  );
}
