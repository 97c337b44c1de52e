/** The Coaching tab (spec section 2): the hero of the coaching page and its transformations. */
import "./tabStyles.ts";
import { Subtabs } from "../parts/Subtabs.tsx";
import { TabHead } from "../parts/TabHead.tsx";
import { HeroContent } from "./coaching/HeroContent.tsx";
import { Transformations } from "./coaching/Transformations.tsx";

/** Shows the two subtabs; the second has three of its own. */
export function CoachingTab() {
  return (
    <>
      <TabHead title="Coaching" note="The page for people who want to work with you." />
      <Subtabs
        label="Coaching"
        tabs={[
          { key: "hero", label: "Hero Content", panel: <HeroContent /> },
          { key: "transformations", label: "Transformations", panel: <Transformations /> },
        ]}
      />
    </>
  );
}
