/** The home page: its sections in order. */
import { type LoadedPage, valueOf } from "../shared/content.ts";
import { LateDock, LateUpdatesTab } from "./AfterScrolling.tsx";
import { Footer } from "./Footer.tsx";
import { Navigation } from "./Navigation.tsx";
import { Platforms } from "./sections/Connect.tsx";
import { HOME_BUTTONS, HOME_SECTIONS } from "./sections/index.ts";

export { HOME_READS as READS } from "./sections/index.ts";

/** Every section of / (specification, section 2.3). */
export function Page(page: LoadedPage) {
  const hero = valueOf(page.content, "hero");
  return (
    <>
      <Navigation sections={HOME_BUTTONS}>
        <Platforms links={page.content.connectLinks} />
      </Navigation>
      <main id="main" className="page" suppressHydrationWarning>
        {HOME_SECTIONS.map(({ Component, reads }) => (
          <Component key={reads[0]} {...page} />
        ))}
      </main>
      <LateUpdatesTab />
      <LateDock action={hero} note={hero.subtitle} />
      <Footer credit="Website by" />
    </>
  );
}
