/** A colour: a swatch that opens the picker, its text, and a warning when words on it are hard to read. */
import Check from "lucide-react/icons/check";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { contrastRatio } from "../../../schema/contrast.ts";
import type { ReadAgainst } from "./Field.tsx";
import { describedBy, type InputProps } from "./FieldInput.tsx";
import { READABLE, readableShade, sixDigits } from "./readableShade.ts";

/** Words in these colours stand on the form's background colour. */
const ON_BACKGROUND = new Set(["textColor", "accentColor", "primaryColor"]);

/** Renders swatch and text; saves like any other field. */
export function ColourField(props: InputProps) {
  const { label, fallback = "#000000", onChange, onLeave } = props;
  const value: string = props.value || fallback;
  return (
    <>
      <div className="colour">
        <span className="colour-swatch" style={{ backgroundColor: value }}>
          <input
            type="color"
            aria-label={`Pick the ${label.replace(/ ?colou?r$/i, "").toLowerCase()} color`}
            value={sixDigits(value)}
            onChange={({ target }) => onChange(target.value.toUpperCase())}
            onBlur={onLeave}
          />
        </span>
        <input
          {...describedBy(props)}
          type="text"
          className="colour-text"
          spellCheck={false}
          autoComplete="off"
          maxLength={60}
          value={props.value ?? ""}
          placeholder={fallback}
          onChange={({ target }) => onChange(target.value)}
          onBlur={onLeave}
        />
        <Contrast colour={value} against={props.against ?? backgroundOf(props)} onFix={onChange} />
      </div>
    </>
  );
}

interface ContrastProps {
  readonly colour: string;
  readonly against: ReadAgainst | undefined;
  readonly onFix: (colour: string) => void;
}

function Contrast({ colour, against, onFix }: ContrastProps) {
  const ratio = against && contrastRatio(colour, against.colour);
  if (ratio === undefined || !against) return null;
  const words = `${ratio.toFixed(1)} : 1`;
  if (ratio >= READABLE)
    return (
      <span className="contrast">
        <Check size={14} aria-hidden="true" /> {words}
      </span>
    );
  const better = readableShade(colour, against.colour);
  return (
    <span className="contrast" data-bad>
      <TriangleAlert size={14} aria-hidden="true" /> {words}
      <span className="contrast-words">{against.words}</span>
      <button type="button" className="fix" onClick={() => onFix(better)}>
        <span className="fix-swatch" style={{ backgroundColor: better }} /> Use {better}
      </button>
    </span>
  );
}

function backgroundOf({ declaration, values }: InputProps): ReadAgainst | undefined {
  const background = values["backgroundColor"];
  const name = Object.keys(values).find(
    (each) => ON_BACKGROUND.has(each) && isNamed(each, declaration.label),
  );
  if (name === undefined || typeof background !== "string") return undefined;
  return { colour: background, words: "Hard to read on the background" };
}

/** "textColor" is labelled "Text Color". */
function isNamed(name: string, label: string): boolean {
  return name.toLowerCase() === label.replaceAll(" ", "").toLowerCase();
}
