/** The fields beside a picture. */
import { entities } from "../../../schema/index.ts";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { UploadFields } from "../data/uploadPicture.ts";
import { pickAriaAttributes, Field, TextField } from "../../ui/Field.tsx";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { ToggleField } from "../parts/Toggle.tsx";

interface PictureFieldsProps {
  readonly fields: UploadFields;
  readonly first: "alt" | undefined;
  readonly nameError: string | undefined;
  readonly onChange: (some: Partial<UploadFields>) => void;
}

const { alt: ALT, originalName: NAME, kind: KIND } = entities.uploads.fields;

export function PictureFields({ fields, first, nameError, onChange }: PictureFieldsProps) {
  const { alt, decorative, originalName, kind } = fields;
  return (
    <div className="fields">
      <TextField
        state={{ value: alt, change: (text) => onChange({ alt: text }) }}
        label="Image description"
        hint="Screen readers read this aloud wherever the image appears."
        most={assertDefined(ALT.maxLength, "length of a description")}
        isCounted
        dir="auto"
        disabled={decorative}
        data-autofocus={first === "alt" ? "" : undefined}
      />
      <ToggleField
        state={{ value: decorative, change: (isOnly) => onChange({ decorative: isOnly }) }}
        label="Decorative (screen readers skip it)"
      />
      <TextField
        state={{
          value: originalName,
          change: (name) => onChange({ originalName: name }),
          error: nameError,
        }}
        label="Name"
        most={assertDefined(NAME.maxLength, "length of a name")}
      />
      <Field
        state={{ value: kind, change: (value) => onChange({ kind: value }) }}
        label="Kind"
        labelElement="none"
      >
        {(control, choose) => (
          <SegmentedControl
            {...pickAriaAttributes(control)}
            label="Kind"
            options={KIND.choices ?? []}
            value={kind}
            onChoose={choose}
          />
        )}
      </Field>
    </div>
  );
}
