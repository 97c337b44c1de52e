/** The input of each kind of field. */
import { type ComponentType, useState } from "react";
import type * as fields from "../../../schema/kinds/fields.ts";
import { pickAriaAttributes } from "../../ui/Field.tsx";
import { Skeleton } from "../../ui/AsyncContent.tsx";
import { createLazyComponent } from "../parts/lazyComponent.tsx";
import { Toggle } from "../parts/Toggle.tsx";
import { ColorField } from "./ColorField.tsx";
import type { ImagePickerProps } from "./ImagePicker.tsx";
import type { InputProps } from "./inputProps.ts";

type InputKind = Extract<
  (typeof fields)[keyof typeof fields],
  { readonly hasNoInput: false }
>["name"];

/** `labelElement` is "span" for a group of controls, and "none" if the control shows the label itself. */
interface KindInput {
  readonly Control: ComponentType<InputProps>;
  readonly labelElement?: "span" | "none";
}

export function FieldInput(props: InputProps) {
  const { Control } = findInput(props.declaration);
  return <Control {...props} />;
}

export const getLabelElement = (declaration: fields.Field) => findInput(declaration).labelElement;

const findInput = ({ kind }: fields.Field): KindInput => INPUTS_BY_KIND[kind.name as InputKind];

const LazyRichText = createLazyComponent<InputProps>({
  subject: "the text editor",
  loadCode: async () => (await import("./RichTextField.tsx")).RichTextField,
  placeholder: <Skeleton height="14rem" />,
});

const LazyOptionLines = createLazyComponent<InputProps>({
  subject: "the options",
  loadCode: async () => (await import("./OptionLines.tsx")).OptionLines,
  placeholder: <Skeleton height="5.5rem" />,
});

const LazyWallTimeField = createLazyComponent<InputProps>({
  subject: "the date picker",
  loadCode: async () => (await import("./timeFields.tsx")).WallTimeField,
  placeholder: <Skeleton height="2.75rem" />,
});

const LazyTimeZoneField = createLazyComponent<InputProps>({
  subject: "the time zones",
  loadCode: async () => (await import("./timeFields.tsx")).TimeZoneField,
  placeholder: <Skeleton height="6rem" />,
});

const LazyImagePicker = createLazyComponent<ImagePickerProps>({
  subject: "the images",
  loadCode: async () => (await import("./ImagePicker.tsx")).ImagePicker,
  placeholder: <Skeleton height="5.5rem" />,
});

const LazyFoldedImagePicker = createLazyComponent<ImagePickerProps>({
  subject: "the images",
  loadCode: async () => (await import("./FoldedImagePicker.tsx")).FoldedImagePicker,
  placeholder: <Skeleton height="2.75rem" />,
});

const LazyFormLinks = createLazyComponent<InputProps>({
  subject: "the forms",
  loadCode: async () => (await import("./FormLinks.tsx")).FormLinks,
  placeholder: null,
});

const INPUTS_BY_KIND: Readonly<Record<InputKind, KindInput>> = {
  text: { Control: createLineInput("text") },
  longText: { Control: LongTextInput },
  richText: { Control: LazyRichText, labelElement: "span" },
  options: { Control: LazyOptionLines },
  image: { Control: ImageInput, labelElement: "span" },
  link: { Control: createLineInput("url") },
  email: { Control: createLineInput("email") },
  color: { Control: ColorField },
  length: { Control: createLineInput("text") },
  choice: { Control: ChoiceInput },
  toggle: {
    Control: ({ label, onChange, control }) => (
      <Toggle
        {...pickAriaAttributes(control)}
        label={label}
        isOn={control.value === true}
        onChange={onChange}
      />
    ),
    labelElement: "none",
  },
  number: { Control: createLineInput("number") },
  wallTime: { Control: LazyWallTimeField, labelElement: "span" },
  timeZone: { Control: LazyTimeZoneField },
};

/** Creates an input of one line. A focused URL input offers links to the site's forms. */
function createLineInput(type: "text" | "url" | "email" | "number") {
  const isNumber = type === "number";
  return function LineInput(props: InputProps) {
    const { control, declaration, onChange, onBlur } = props;
    const { placeholder = declaration.placeholder } = props;
    const [hasBeenFocused, setHasBeenFocused] = useState(false);
    return (
      <>
        <input
          {...control}
          type={type}
          {...(isNumber ? { min: 0, step: 1 } : {})}
          value={control.value ?? ""}
          placeholder={placeholder}
          onChange={({ target }) =>
            onChange(isNumber ? Number.parseInt(target.value, 10) || 0 : target.value)
          }
          onFocus={() => setHasBeenFocused(type === "url")}
          onBlur={onBlur}
        />
        {hasBeenFocused && <LazyFormLinks {...props} />}
      </>
    );
  };
}

function LongTextInput(props: InputProps) {
  const { control, declaration, onChange, onBlur, rows = 3 } = props;
  return (
    <textarea
      {...control}
      rows={rows}
      value={control.value ?? ""}
      placeholder={props.placeholder ?? declaration.placeholder}
      onChange={({ target }) => onChange(target.value)}
      onBlur={onBlur}
    />
  );
}

function ChoiceInput(props: InputProps) {
  const { readOnly, ...control } = props.control;
  const choices = props.choices ?? props.declaration.choices ?? [];
  const isListed = choices.some((choice) => choice.value === control.value);
  return (
    <select
      {...control}
      disabled={readOnly}
      onChange={({ target }) => props.onChange(target.value)}
      onBlur={props.onBlur}
    >
      {!isListed && <option value={control.value}>{control.value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

function ImageInput(props: InputProps) {
  const { control, declaration, isFolded = false, label, onChange } = props;
  const { id, ...ariaProps } = pickAriaAttributes(control);
  const pickerProps: ImagePickerProps = {
    id,
    label,
    value: control.value ?? null,
    ariaProps,
    onChange,
  };
  if (isFolded) return <LazyFoldedImagePicker {...pickerProps} noneLabel={props.noneLabel} />;
  const noneLabel = props.noneLabel ?? (declaration.required ? undefined : "No image");
  return <LazyImagePicker {...pickerProps} noneLabel={noneLabel} />;
}
