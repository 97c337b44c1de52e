/** The control that a declaration's kind of input asks for. */
import type { ComponentType } from "react";
import type { InputKind } from "../../../schema/fields.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { lazyPart } from "../parts/LazyPart.tsx";
import { Toggle } from "../parts/Toggle.tsx";
import { ColorField } from "./ColorField.tsx";
import type { ImagePickerProps } from "./ImagePicker.tsx";
import { describedBy, type InputProps } from "./inputProps.ts";

export function FieldInput(props: InputProps) {
  const Control = CONTROLS[props.declaration.input] ?? Line;
  return <Control {...props} />;
}

const RichText = lazyPart<InputProps>({
  what: "the text editor",
  code: async () => (await import("./RichTextField.tsx")).RichTextField,
  waiting: <Skeleton height="14rem" />,
});

const Options = lazyPart<InputProps>({
  what: "the options",
  code: async () => (await import("./OptionLines.tsx")).OptionLines,
  waiting: <Skeleton height="5.5rem" />,
});

const ImagePicker = lazyPart<ImagePickerProps>({
  what: "the pictures",
  code: async () => (await import("./ImagePicker.tsx")).ImagePicker,
  waiting: <Skeleton height="5.5rem" />,
});

const FoldedImagePicker = lazyPart<ImagePickerProps>({
  what: "the pictures",
  code: async () => (await import("./FoldedImagePicker.tsx")).FoldedImagePicker,
  waiting: <Skeleton height="2.75rem" />,
});

const CONTROLS: Partial<Record<InputKind, ComponentType<InputProps>>> = {
  longText: Lines,
  options: Options,
  richText: RichText,
  image: ImageControl,
  color: ColorField,
  choice: Choice,
  toggle: ({ id, label, value, onChange }) => (
    <Toggle id={id} label={label} on={value === true} onChange={onChange} />
  ),
};

const TYPES: Partial<Record<InputKind, string>> = { email: "email", link: "url", number: "number" };

function Line(props: InputProps) {
  const { declaration, value, onChange, onLeave, placeholder = declaration.placeholder } = props;
  const isNumber = declaration.input === "number";
  return (
    <input
      {...describedBy(props)}
      type={TYPES[declaration.input] ?? "text"}
      {...(isNumber ? { min: 0, step: 1 } : {})}
      value={value ?? ""}
      placeholder={placeholder}
      onChange={({ target }) => onChange(isNumber ? wholeNumber(target.value) : target.value)}
      onBlur={onLeave}
    />
  );
}

/** An order is parsed as an integer and falls back to 0. */
function wholeNumber(text: string): number {
  return Number.parseInt(text, 10) || 0;
}

function Lines(props: InputProps) {
  const { declaration, value, onChange, onLeave, rows = 3 } = props;
  return (
    <textarea
      {...describedBy(props)}
      rows={rows}
      value={value ?? ""}
      placeholder={props.placeholder ?? declaration.placeholder}
      onChange={({ target }) => onChange(target.value)}
      onBlur={onLeave}
    />
  );
}

function Choice(props: InputProps) {
  const choices = props.choices ?? props.declaration.choices ?? [];
  const known = choices.some((choice) => choice.value === props.value);
  return (
    <select
      {...describedBy(props)}
      value={props.value}
      onChange={({ target }) => props.onChange(target.value)}
      onBlur={props.onLeave}
    >
      {!known && <option value={props.value}>{props.value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

function ImageControl({ declaration, value, folded = false, ...props }: InputProps) {
  if (folded) return <FoldedImagePicker {...props} value={value ?? null} />;
  const noneLabel = props.noneLabel ?? (declaration.required ? undefined : "No image");
  return <ImagePicker {...props} value={value ?? null} noneLabel={noneLabel} />;
}
