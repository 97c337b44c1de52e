/** A text that is needed elsewhere, with a button that copies it. */
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { Button } from "../../ui/Button.tsx";
import { useCopied } from "../parts/useCopied.ts";

export function Copied({ label, text }: { label: string; text: string }) {
  const [isCopied, copy] = useCopied(text);
  const words = isCopied ? "Copied" : "Copy";
  return (
    <div className="mail-copied">
      <input readOnly aria-label={label} value={text} onFocus={({ target }) => target.select()} />
      <Button size="small" aria-label={`${words}: ${label}`} onClick={copy}>
        {isCopied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
        {words}
      </Button>
    </div>
  );
}
