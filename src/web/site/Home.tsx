/** The home page: its sections in order. */
import type { EntityKey } from "../../schema/index.ts";
import { type LoadedPage, valueOf } from "../shared/content.ts";
import { useShell } from "../shared/shell.ts";
import { Dock } from "./Dock.tsx";
import { Footer } from "./Footer.tsx";
import { UpdatesTab } from "./mailingList/UpdatesTab.tsx";
import { Navigation, useBarWidth } from "./Navigation.tsx";
import { Platforms } from "./sections/Connect.tsx";
import { buttonsOf, HOME_READS, idsBelow, shownSections } from "./sections/index.ts";

export const READS: readonly EntityKey[] = [...HOME_READS, "sharing"];

/** Every section of / (specification, section 2.3). */
export function Page(page: LoadedPage) {
  const hero = valueOf(page.content, "hero");
  const { styles } = useShell();
  const sections = shownSections(styles, page.content);
  const below = idsBelow(sections, page.content);
  const buttons = buttonsOf(sections, below);
  return (
    <>
      <Navigation sections={buttons}>
        <Platforms links={page.content.connectLinks} />
      </Navigation>
      <main id="main" className="page" style={useBarWidth(buttons)}>
        {sections.map(({ Component, reads }) => (
          <Component key={reads[0]} {...page} below={below} />
        ))}
      </main>
      {!styles.hiddenSections.includes("updates") && <UpdatesTab />}
      <Dock action={hero} note={hero.subtitle} />
      <Footer credit="websiteBy" />
    </>
  );
}
