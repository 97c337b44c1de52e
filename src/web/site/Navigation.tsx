/** The bar at the top of every public page. */
import { Link, useRouter } from "@tanstack/react-router";
import type { CSSProperties, ReactNode } from "react";
import { usePageContext } from "../shared/pageContext.ts";
import { useWords } from "../words/siteWords.ts";
import { measureTextWidthEm } from "./parts/fitTitle.ts";
import type { SectionButton } from "./sections/index.ts";

/** `sections` become buttons; without them, a link leads to the home page. `children` are last in a phone's menu. */
interface NavigationProps {
  readonly sections?: readonly SectionButton[];
  readonly children?: ReactNode;
}

/** The site's name and links. inline/scrolling.ts darkens the bar. A phone's menu needs no script. */
export function Navigation({ sections, children }: NavigationProps) {
  const { site } = usePageContext();
  const { words, lang, contentLang } = useWords();
  return (
    <header className="bar" lang={lang}>
      <a className="button skip" href="#main">
        {words.navigation.skipToContent}
      </a>
      <Link to="/" className="brand display" dir="auto" lang={contentLang}>
        {site.name}
      </Link>
      <button
        type="button"
        className="menu-button"
        popoverTarget="menu"
        aria-label={words.navigation.menu}
      >
        <span />
      </button>
      <nav id="menu" popover="auto" className="menu" aria-label={words.navigation.mainNavigation}>
        <button
          type="button"
          className="menu-close"
          popoverTarget="menu"
          popoverTargetAction="hide"
          aria-label={words.navigation.closeMenu}
        />
        {sections ? (
          <SectionButtons sections={sections} />
        ) : (
          <Link to="/">{words.navigation.home}</Link>
        )}
        <PageLinks location="bar" />
        {children && (
          <div className="menu-more" lang={contentLang}>
            {children}
          </div>
        )}
      </nav>
    </header>
  );
}

/** Returns generous estimates of the widths in the bar, so that no picture overlaps the bar (HeroFigure.css). */
export function useNavigationWidthStyle(sections: readonly SectionButton[] = []): CSSProperties {
  const { pages } = useRouter().options.context;
  const { site } = usePageContext();
  const { words } = useWords();
  const pageLabels = pages.flatMap(({ link }) =>
    link?.location === "bar" ? [link.label(words)] : [],
  );
  const labels = [...sections.map(({ id }) => words.navigation[id]), ...pageLabels];
  const letterCount = labels.join("").length;
  return {
    "--brand-width": `calc(1.5rem * (${measureTextWidthEm(site.name)}))`,
    "--menu-width": `calc(${(letterCount * 0.52).toFixed(1)}rem + ${labels.length - 1} * clamp(1.25rem, 2.6vw, 2.25rem))`,
  } as CSSProperties;
}

/** A button for each section (inline/sectionButtons.ts). Without scripts, the form leads to the same section. */
function SectionButtons({ sections }: Required<Pick<NavigationProps, "sections">>) {
  const { words } = useWords();
  return (
    <form className="menu-sections">
      {sections.map(({ id }) => (
        <button key={id} formAction={`/#${id}`}>
          {words.navigation[id]}
        </button>
      ))}
    </form>
  );
}

/** Links to the pages listed in the bar or the footer (pages.ts). */
export function PageLinks({ location }: { location: "bar" | "footer" }) {
  const { pages } = useRouter().options.context;
  const { words } = useWords();
  return pages.map(
    ({ path, link }) =>
      link?.location === location && (
        <Link key={path} to={path}>
          {link.label(words)}
        </Link>
      ),
  );
}
