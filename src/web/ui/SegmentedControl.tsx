/** A few options side by side, one of which is chosen. */
import type { LucideIcon } from "lucide-react";
import { formatNumber } from "../../schema/core/formatNumber.ts";
import type { createAriaAttributes } from "./Field.tsx";

interface SegmentedControlProps<V extends string> extends Partial<
  ReturnType<typeof createAriaAttributes>
> {
  readonly label: string;
  readonly options: readonly {
    readonly value: V;
    readonly label: string;
    readonly icon?: LucideIcon;
    readonly count?: number | undefined;
  }[];
  readonly value: V;
  readonly onChoose: (value: V) => void;
  readonly className?: string;
}

/** Example: `<SegmentedControl label="Appearance" options={SCHEME_CHOICES} value={scheme} onChoose={choose} />` */
export function SegmentedControl<V extends string>(props: SegmentedControlProps<V>) {
  const { label, options, value, onChoose, className = "", ...aria } = props;
  return (
    <fieldset {...aria} className={`segmented ${className}`} aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.icon && <option.icon size={14} aria-hidden="true" />}
          <span>
            {option.label}
            {option.count !== undefined && (
              <span className="faint"> {formatNumber(option.count)}</span>
            )}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
