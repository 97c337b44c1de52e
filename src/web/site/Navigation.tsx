/** The bar at the top of every public page. */
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { useShell } from "../shell.ts";
import { useScrolledPast } from "./scrolling.ts";
import { SectionButtons } from "./SectionButtons.tsx";

/** The bar turns dark once the page is scrolled this far, in CSS pixels (spec section 9). */
const DARK_FROM = 50;

/** `sections` are the home page's, reached by buttons; without them there is a way home instead. */
export interface NavigationProps {
  readonly sections?: readonly { id: string; label: string }[];
}

/** Shows the brand and the ways on; on a phone they are behind a button that needs no script. */
export function Navigation({ sections }: NavigationProps) {
  const { site } = useShell();
  const menu = useRef<HTMLElement>(null);
  const close = () => menu.current?.hidePopover();
  const dark = useScrolledPast(DARK_FROM);
  return (
    <header className="bar" data-dark={dark ? "" : undefined}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Link to="/" className="brand">
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
        <Link to="/coaching" onClick={close}>
          Coaching
        </Link>
      </nav>
    </header>
  );
}
