/** The six looks as radio buttons, each a preview of the hero. Used by the Styles tab and the welcome. */
import Check from "lucide-react/icons/check";
import { useId } from "react";
import { type Look, LOOKS } from "../../../../schema/looks/looks.ts";
import type { PageContent } from "../../../shared/content.ts";
import { PreviewFrame } from "../../editor/PreviewFrame.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import css from "./LookChoice.css" with { type: "text" };

interface LookChoiceProps {
  readonly content: PageContent;
  readonly chosen: string | undefined;
  readonly onChoose: (look: Look) => void;
}

export function LookChoice({ content, chosen, onChoose }: LookChoiceProps) {
  useStylesheet(css);
  const group = useId();
  return (
    <div className="looks auto-grid gap-12" role="radiogroup" aria-label="Look">
      {LOOKS.map((look) => (
        <label key={look.name} className="option look column">
          <input
            type="radio"
            className="stretched-input"
            name={group}
            value={look.name}
            aria-label={`${look.label}: ${look.note}`}
            checked={look.name === chosen}
            onChange={() => onChoose(look)}
          />
          <PreviewFrame
            section="hero"
            content={content}
            device="card"
            styles={look.styles}
            fullScreen
            captioned={false}
          />
          <span className="look-text title-note" aria-hidden="true">
            <strong>{look.label}</strong>
            <span className="note quiet">{look.note}</span>
          </span>
          <span className="option-mark" aria-hidden="true">
            <Check size={14} strokeWidth={3} />
          </span>
        </label>
      ))}
    </div>
  );
}
