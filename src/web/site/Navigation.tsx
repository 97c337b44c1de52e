/** The bar at the top of every public page. */
import { Link, useRouter } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { useShell } from "../shared/shell.ts";

/**
 * `sections` are the home page's, reached by buttons; without them there is a way home instead. `children`
 * stand at the end of a phone's menu.
 */
interface NavigationProps {
  readonly sections?: readonly { id: string; label: string }[];
  readonly children?: ReactNode;
}

/** The brand and the ways on; inline/scrolling.ts turns the bar dark. On a phone these are behind a button that needs no script. */
export function Navigation({ sections, children }: NavigationProps) {
  const { site } = useShell();
  const menu = useRef<HTMLElement>(null);
  const close = () => menu.current?.hidePopover();
  return (
    <header className="bar">
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
          <SectionButtons sections={sections} />
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

/**
 * A button for each section, which inline/jumps.ts follows; without scripts they are a form's, which leads to
 * the same place.
 */
function SectionButtons({ sections }: Required<Pick<NavigationProps, "sections">>) {
  return (
    <form className="menu-sections">
      {sections.map(({ id, label }) => (
        <button key={id} formAction={`/#${id}`}>
          {label}
        </button>
      ))}
    </form>
  );
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
