/** Recovery codes, shown once: to save before continuing. */
import Copy from "lucide-react/icons/copy";
import Download from "lucide-react/icons/download";
import Printer from "lucide-react/icons/printer";
import { useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { Card } from "../../parts/Card.tsx";
import { CheckboxField } from "../../parts/ChoiceFields.tsx";
import { useCopyToClipboard } from "../../../ui/CopyButton.tsx";

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const [isSaved, setIsSaved] = useState(false);
  const text = codes.join("\n");
  const [copied, copy] = useCopyToClipboard(text);
  return (
    <Card title="Save your recovery codes" note="shown once" className="recovery-codes">
      <p className="quiet">If you lose your phone, each code logs you in once.</p>
      <ol>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="cluster">
        <Button onClick={copy}>
          <Copy size={16} aria-hidden="true" /> {copied ? "Copied" : "Copy"}
        </Button>
        <a
          className="ui-button"
          data-variant="neutral"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="recovery-codes.txt"
        >
          <Download size={16} aria-hidden="true" /> Download
        </a>
        <Button onClick={() => window.print()}>
          <Printer size={16} aria-hidden="true" /> Print
        </Button>
      </div>
      <div className="mt-12">
        <CheckboxField
          state={{ value: isSaved, change: setIsSaved }}
          label="I've saved them somewhere I can get to without this phone"
        />
      </div>
      <div className="actions">
        <Button variant="primary" disabled={!isSaved} onClick={onDone}>
          Done
        </Button>
      </div>
    </Card>
  );
}
