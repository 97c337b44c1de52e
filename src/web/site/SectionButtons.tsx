/** The buttons that lead to the sections of the home page. */
import type { MouseEvent } from "react";
import { scrollToSection } from "./scrolling.ts";

/** `onChoose` is called before the page scrolls. */
export interface SectionButtonsProps {
  readonly sections: readonly { id: string; label: string }[];
  readonly onChoose: () => void;
}

/** Shows one button for each; before scripts run they are a form's, which leads to the same place. */
export function SectionButtons({ sections, onChoose }: SectionButtonsProps) {
  const choose = (event: MouseEvent, id: string) => {
    event.preventDefault();
    onChoose();
    scrollToSection(firstThere(sections, id));
  };
  return (
    <form className="menu-sections">
      {sections.map(({ id, label }) => (
        <button key={id} formAction={`/#${id}`} onClick={(event) => choose(event, id)}>
          {label}
        </button>
      ))}
    </form>
  );
}

/** The section, or the next one that is there: an empty one is not (spec section 2). */
function firstThere(sections: SectionButtonsProps["sections"], id: string): string | undefined {
  const from = sections.findIndex((section) => section.id === id);
  return sections.slice(from).find((section) => document.getElementById(section.id))?.id;
}
