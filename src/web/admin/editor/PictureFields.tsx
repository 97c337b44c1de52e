/** The fields beside a picture: its description, its name, whether it is a logo. */
import { useId } from "react";
import { entities } from "../../../schema/index.ts";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { UploadFields } from "../data/uploadPicture.ts";
import { FieldFrame } from "../../ui/FieldFrame.tsx";
import { Segments } from "../../ui/Segments.tsx";
import { Toggle } from "../parts/Toggle.tsx";

interface PictureFieldsProps {
  readonly fields: UploadFields;
  /** The field to focus. */
  readonly first: "alt" | undefined;
  readonly nameError: string | undefined;
  readonly onChange: (some: Partial<UploadFields>) => void;
}

const { alt: ALT, originalName: NAME, kind: KIND } = entities.uploads.fields;

export function PictureFields({ fields, first, nameError, onChange }: PictureFieldsProps) {
  const id = useId();
  const { alt, decorative, originalName, kind } = fields;
  return (
    <div className="fields">
      <FieldFrame
        id={`${id}-alt`}
        label="Image description"
        hint="Screen readers read this aloud wherever the image appears."
        limit={{
          text: alt,
          most: assertDefined(ALT.maxLength, "length of a description"),
          isCounted: true,
        }}
      >
        <input
          id={`${id}-alt`}
          type="text"
          dir="auto"
          value={alt}
          disabled={decorative}
          data-autofocus={first === "alt" ? "" : undefined}
          aria-describedby={`${id}-alt-note`}
          onChange={({ target }) => onChange({ alt: target.value })}
        />
      </FieldFrame>
      <Toggle
        label="Decorative (screen readers skip it)"
        on={decorative}
        onChange={(isOnly) => onChange({ decorative: isOnly })}
      />
      <FieldFrame
        id={`${id}-name`}
        label="Name"
        error={nameError}
        limit={{ text: originalName, most: assertDefined(NAME.maxLength, "length of a name") }}
      >
        <input
          id={`${id}-name`}
          type="text"
          value={originalName}
          aria-invalid={nameError ? true : undefined}
          aria-describedby={nameError ? `${id}-name-note` : undefined}
          onChange={({ target }) => onChange({ originalName: target.value })}
        />
      </FieldFrame>
      <Segments
        label="Kind"
        options={KIND.choices ?? []}
        value={kind}
        onChoose={(value) => onChange({ kind: value as UploadFields["kind"] })}
      />
    </div>
  );
}
