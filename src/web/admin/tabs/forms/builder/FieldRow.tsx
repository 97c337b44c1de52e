/** What a field asks and how, in one row. */
import type { LucideIcon } from "lucide-react";
import AlignLeft from "lucide-react/icons/text-align-start";
import CircleDot from "lucide-react/icons/circle-dot";
import Earth from "lucide-react/icons/earth";
import Hash from "lucide-react/icons/hash";
import Mail from "lucide-react/icons/mail";
import MapPin from "lucide-react/icons/map-pin";
import Phone from "lucide-react/icons/phone";
import SquareCheck from "lucide-react/icons/square-check";
import SquareChevronDown from "lucide-react/icons/square-chevron-down";
import TextCursorInput from "lucide-react/icons/text-cursor-input";
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
