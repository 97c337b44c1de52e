/** The six looks as radio buttons with previews of the hero. Used by the Styles tab and the welcome assistant. */
import Check from "lucide-react/icons/check";
import { type Look, LOOKS } from "../../../../schema/looks/looks.ts";
import type { PageContent } from "../../../shared/content.ts";
import { PreviewFrame } from "../../editor/PreviewFrame.tsx";
import { RadioField } from "../../parts/ChoiceFields.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import css from "./LookChoice.css" with { type: "text" };

interface LookChoiceProps {
  readonly content: PageContent;
  readonly selectedName: string | undefined;
  readonly onChoose: (look: Look) => void;
}

export function LookChoice({ content, selectedName, onChoose }: LookChoiceProps) {
  useStylesheet(css);
  const options = LOOKS.map((look) => ({
    value: look.name,
    label: `${look.label}: ${look.note}`,
    content: <LookOption look={look} content={content} />,
  }));
  return (
    <RadioField
      state={{
        value: selectedName,
        setValue: (name) => LOOKS.filter((look) => look.name === name).forEach(onChoose),
      }}
      label="Look"
      options={options}
      className="looks auto-grid gap-12"
      legendClass="visually-hidden"
      optionClass="option look"
    />
  );
}

function LookOption({ look, content }: { readonly look: Look; readonly content: PageContent }) {
  return (
    <>
      <PreviewFrame
        section="hero"
        content={content}
        device="card"
        styles={look.styles}
        isFullScreen
        hasCaption={false}
      />
      <span className="look-text title-note" aria-hidden="true">
        <strong>{look.label}</strong>
        <span className="note quiet">{look.note}</span>
      </span>
      <span className="badge" aria-hidden="true">
        <Check size={14} strokeWidth={3} />
      </span>
    </>
  );
}
