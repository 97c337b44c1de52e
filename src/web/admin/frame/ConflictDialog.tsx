/** Compares the user's changes with the version that somebody else saved first, and asks which one to keep. */
import type { Field } from "../../../schema/kinds/fields.ts";
import { entities } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { postponeConflicts, type DraftState, useConflictingDraft } from "../data/drafts.ts";
import { overwriteOtherVersion, acceptOtherVersion } from "../data/conflict.ts";
import { useStylesheet } from "../parts/useStylesheet.ts";
import css from "./ConflictDialog.css" with { type: "text" };
import { formatFieldValue } from "../../../schema/entities/changes.ts";

export function ConflictDialog() {
  useStylesheet(css);
  const draft = useConflictingDraft();
  return (
    <Dialog
      isOpen={draft !== undefined}
      onClose={postponeConflicts}
      title="Changed in another window"
    >
      {draft && <ConflictChoice draft={draft} />}
    </Dialog>
  );
}

function ConflictChoice({ draft }: { draft: DraftState }) {
  const fields = entities[draft.key].fields as Readonly<Record<string, Field>>;
  return (
    <>
      <p className="quiet">
        {draft.label} was saved in another window after you opened it. Which version do you want to
        keep?
      </p>
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Saved version</th>
            <th scope="col">Your version</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(draft.changes).map(([name, editedValue]) => (
            <FieldComparison
              key={name}
              name={name}
              field={fields[name]}
              otherValue={draft.otherValue?.[name]}
              editedValue={editedValue}
            />
          ))}
        </tbody>
      </table>
      <div className="actions">
        <Button onClick={() => void acceptOtherVersion(draft.id)}>Keep saved version</Button>
        <Button variant="primary" onClick={() => void overwriteOtherVersion(draft.id)}>
          Keep my version
        </Button>
      </div>
    </>
  );
}

interface FieldComparisonProps {
  readonly name: string;
  readonly field: Field | undefined;
  readonly otherValue: unknown;
  readonly editedValue: unknown;
}

function FieldComparison({ name, field, otherValue, editedValue }: FieldComparisonProps) {
  const { otherText, editedText, note } = formatVersions(field, otherValue, editedValue);
  return (
    <tr>
      <th scope="row">
        {field?.label ?? name}
        {note && <span className="quiet">{note}</span>}
      </th>
      <td dir="auto">{otherText}</td>
      <td dir="auto">{editedText}</td>
    </tr>
  );
}

/** `note` describes a difference that the texts don't show. `field` is undefined if this release doesn't have it. */
export function formatVersions(
  field: Field | undefined,
  otherValue: unknown,
  editedValue: unknown,
) {
  const otherText = formatValue(field, otherValue);
  const editedText = formatValue(field, editedValue);
  const note = otherText === editedText ? "Only the formatting is different." : undefined;
  return { otherText, editedText, note };
}

function formatValue(field: Field | undefined, value: unknown): string {
  if (typeof value === "boolean") return value ? "On" : "Off";
  const text = field && formatFieldValue(field, field.kind.isHtml ? appendUrls(value) : value);
  const displayText = text ?? String(value ?? "");
  return displayText.replace(/\s+/g, " ").trim() || "(empty)";
}

/** Adds the URLs of links and pictures to the text, since they may be the only difference. */
function appendUrls(html: unknown): unknown {
  if (typeof html !== "string") return html;
  return html
    .replace(
      /<a\b([^<>]*)>((?:[^<]|<(?!\/?a\b))*)<\/a>/g,
      (match, attributes: string, text: string) => {
        const url = /\bhref="([^"]*)"/.exec(attributes)?.[1];
        return url === undefined ? match : `${text} (${url})`;
      },
    )
    .replace(/<img\b[^<>]*>/g, (tag) => {
      const labels = [/\balt="([^"]*)"/, /\bsrc="([^"]*)"/].map(
        (pattern) => pattern.exec(tag)?.[1],
      );
      return ` (Image: ${labels.filter(Boolean).join(", ")}) `;
    });
}
