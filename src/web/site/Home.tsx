/** The home page: its sections in order. */
import type { EntityKey } from "../../schema/index.ts";
import { type LoadedPage, getSingletonValue } from "../shared/content.ts";
import { usePageContext } from "../shared/pageContext.ts";
import { useWords } from "../words/siteWords.ts";
import { DockedButton } from "./DockedButton.tsx";
import { Footer } from "./Footer.tsx";
import { Navigation, useNavigationWidthStyle } from "./Navigation.tsx";
import { PlatformLinks } from "./sections/Connect.tsx";
import {
  findSectionButtons,
  HOME_ENTITY_KEYS,
  findSectionIdsBelow,
  findVisibleSections,
} from "./sections/index.ts";

export const ENTITY_KEYS: readonly EntityKey[] = [...HOME_ENTITY_KEYS, "sharing"];

/** Renders the sections of the home page (specification, section 2.3). */
export function Page(page: LoadedPage) {
  const hero = getSingletonValue(page.content, "hero");
  const { styles } = usePageContext();
  const sections = findVisibleSections(styles, page.content);
  const sectionIdsBelow = findSectionIdsBelow(sections, page.content);
  const buttons = findSectionButtons(sections, sectionIdsBelow);
  return (
    <>
      <Navigation sections={buttons}>
        <PlatformLinks links={page.content.connectLinks} />
      </Navigation>
      <main id="main" className="page" style={useNavigationWidthStyle(buttons)}>
        {sections.map(({ Component, entityKeys }) => (
          <Component key={entityKeys[0]} {...page} sectionIdsBelow={sectionIdsBelow} />
        ))}
      </main>
      {!styles.hiddenSections.includes("updates") && <UpdatesTab />}
      <DockedButton action={hero} note={hero.subtitle} />
      <Footer credit="websiteBy" />
    </>
  );
}

/** The vertical UPDATES button at the right edge, shown after scrolling (specification, section 2.3). */
function UpdatesTab() {
  const { words, lang } = useWords();
  return (
    <button
      type="button"
      className="updates-tab"
      data-updates=""
      lang={lang}
      aria-haspopup="dialog"
    >
      {words.mailingList.tab}
    </button>
  );
}
