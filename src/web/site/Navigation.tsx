/** The bar at the top of every public page. */
import { Link, useRouter } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, useRef } from "react";
import { useShell } from "../shared/shell.ts";
import { scrollToSection, useScrolledPast } from "./parts/scrolling.ts";

/** The bar turns dark once the page is scrolled this far, in CSS pixels (specification, section 9.2). */
const DARK_FROM = 50;

/**
 * `sections` are the home page's, reached by buttons; without them there is a way home instead. `children`
 * stand at the end of a phone's menu.
 */
interface NavigationProps {
  readonly sections?: readonly { id: string; label: string }[];
  readonly children?: ReactNode;
}

/** The brand and the ways on; on a phone these are behind a button that needs no script. */
export function Navigation({ sections, children }: NavigationProps) {
  const { site } = useShell();
  const menu = useRef<HTMLElement>(null);
  const close = () => menu.current?.hidePopover();
  const dark = useScrolledPast(DARK_FROM);
  return (
    <header className="bar" data-dark={dark ? "" : undefined}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Link to="/" className="brand" dir="auto">
        {site.name}
      </Link>
      <button type="button" className="menu-button" popoverTarget="menu" aria-label="Menu">
        <span />
      </button>
      <nav id="menu" ref={menu} popover="auto" className="menu" aria-label="Main">
        <button
          type="button"
          className="menu-close"
          popoverTarget="menu"
          popoverTargetAction="hide"
          aria-label="Close menu"
        />
        {sections ? (
          <SectionButtons sections={sections} onChoose={close} />
        ) : (
          <Link to="/" onClick={close}>
            Home
          </Link>
        )}
        <PageLinks place="bar" onClick={close} />
        {children && <div className="menu-more">{children}</div>}
      </nav>
    </header>
  );
}

/** `onChoose` is called before the page scrolls. */
interface SectionButtonsProps {
  readonly sections: readonly { id: string; label: string }[];
  readonly onChoose: () => void;
}

/** A button for each section; before scripts run they are a form's, which leads to the same place. */
function SectionButtons({ sections, onChoose }: SectionButtonsProps) {
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

/** The section, or the next one that is there: an empty one is not (specification, section 2.2). */
function firstThere(sections: SectionButtonsProps["sections"], id: string): string | undefined {
  const from = sections.findIndex((section) => section.id === id);
  return sections.slice(from).find((section) => document.getElementById(section.id))?.id;
}

/** The links to the pages that have one in the bar or in the footer (pages.ts). */
export function PageLinks({ place, onClick }: { place: "bar" | "footer"; onClick?: () => void }) {
  const { pages } = useRouter().options.context;
  return pages.map(
    ({ path, link }) =>
      link?.in === place && (
        <Link key={path} to={path} onClick={onClick}>
          {link.label}
        </Link>
      ),
  );
}
