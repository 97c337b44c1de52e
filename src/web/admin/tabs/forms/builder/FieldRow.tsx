/** What a field asks and how, in one row. */
import {
  AlignLeft,
  CircleDot,
  Earth,
  Hash,
  type LucideIcon,
  Mail,
  MapPin,
  Phone,
  SquareCheck,
  SquareChevronDown,
  TextCursorInput,
} from "lucide-react";
import type { Item } from "../../../../../schema/index.ts";
import { FIELD_TYPES, type FieldType } from "../../../../../schema/questions.ts";

const ICONS: Readonly<Record<FieldType, LucideIcon>> = {
  text: TextCursorInput,
  email: Mail,
  phone: Phone,
  international_phone: Earth,
  country: MapPin,
  textarea: AlignLeft,
  select: SquareChevronDown,
  radio: CircleDot,
  checkbox: SquareCheck,
  number: Hash,
};

/** Renders icon, label and kind. */
export function FieldRow({ field }: { field: Item<"formFields"> }) {
  const { fieldType, label, adminLabel, isRequired, isActive } = field;
  const Icon = ICONS[fieldType] ?? TextCursorInput;
  const kind = FIELD_TYPES.find(({ value }) => value === fieldType)?.label ?? fieldType;
  const facts = [
    kind,
    ...(isRequired ? ["Required"] : []),
    ...(isActive ? [] : ["Hidden from visitors"]),
    ...(adminLabel && adminLabel !== label ? [adminLabel] : []),
  ];
  return (
    <span className="field-row">
      <span className="field-kind">
        <Icon size={16} aria-hidden="true" />
      </span>
      <span className="field-words">
        <strong className="row-title">{label}</strong>
        <span className="quiet">{facts.join(" · ")}</span>
      </span>
    </span>
  );
}
