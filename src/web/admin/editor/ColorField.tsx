/** A color: a swatch that opens the browser's picker, a text input, and a contrast warning. */
import Check from "lucide-react/icons/check";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import {
  parseColorOrBlack,
  computeContrastRatio,
  formatContrastRatio,
  MIN_CONTRAST,
  toHex,
  toSixDigitHex,
} from "../../../schema/core/color.ts";
import type { InputProps, ContrastReference } from "./inputProps.ts";

export function ColorField(props: InputProps) {
  const { control, label, fallbackColor = "#000000", contrastWith, onBlur, declaration } = props;
  // An empty optional color is stored as null.
  const onChange = (text: string) =>
    props.onChange(text === "" && declaration.initial === null ? null : text);
  const value: string = control.value || fallbackColor;
  return (
    <div className="color row cluster">
      <span className="color-swatch" style={{ backgroundColor: value }}>
        <input
          type="color"
          aria-label={`Choose ${label.replace(/ ?colou?r$/i, "").toLowerCase()} color`}
          value={toSixDigitHex(value)}
          onChange={({ target }) => onChange(target.value.toUpperCase())}
          onBlur={onBlur}
        />
      </span>
      <input
        {...control}
        type="text"
        className="color-text"
        spellCheck={false}
        autoComplete="off"
        value={control.value ?? ""}
        placeholder={fallbackColor}
        onChange={({ target }) => onChange(target.value)}
        onBlur={onBlur}
      />
      <ContrastWarning color={value} reference={contrastWith} onFix={onChange} />
    </div>
  );
}

interface ContrastWarningProps {
  readonly color: string;
  readonly reference: ContrastReference | undefined;
  readonly onFix: (color: string) => void;
}

function ContrastWarning({ color, reference, onFix }: ContrastWarningProps) {
  const ratio = reference && computeContrastRatio(color, reference.color);
  if (ratio === undefined || !reference) return null;
  const formatted = formatContrastRatio(ratio);
  if (ratio >= MIN_CONTRAST)
    return (
      <span className="row cluster faint small">
        <Check size={14} aria-hidden="true" /> {formatted}
      </span>
    );
  const readableColor = findReadableShade(color, reference.color);
  return (
    <span className="row cluster small" data-tone="warn">
      <TriangleAlert size={14} aria-hidden="true" /> {formatted}
      <span className="note">{reference.message}</span>
      <button
        type="button"
        className="fix inline-button row note"
        onClick={() => onFix(readableColor)}
      >
        <span className="fix-swatch" style={{ backgroundColor: readableColor }} /> Use{" "}
        {readableColor}
      </button>
    </span>
  );
}

/** Mixes `color` with white or black until its contrast with `background` suffices. Returns a hex color. */
function findReadableShade(color: string, background: string): string {
  const targetChannel =
    (computeContrastRatio(background, "#FFFFFF") ?? 0) >= MIN_CONTRAST ? 255 : 0;
  const channels = parseColorOrBlack(color);
  for (let share = 0.05; share < 1; share += 0.05) {
    const shade = toHex(channels.map((channel) => channel + (targetChannel - channel) * share));
    if ((computeContrastRatio(shade, background) ?? 0) >= MIN_CONTRAST) return shade;
  }
  return targetChannel === 255 ? "#FFFFFF" : "#000000";
}
