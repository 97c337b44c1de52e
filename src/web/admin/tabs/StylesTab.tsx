/** The Styles tab (spec section 2): type and colour for the whole site. */
import RotateCcw from "lucide-react/icons/rotate-ccw";
import { initialValues } from "../../../schema/check.ts";
import { entities, type EntityKey } from "../../../schema/index.ts";
import type { PageContent } from "../../content.ts";
import { defaultsOf } from "../../defaults.ts";
import { useShell } from "../../shell.ts";
import { Button } from "../../ui/Button.tsx";
import { type Draft, useDraft } from "../drafts/useDraft.ts";
import { HistoryButton } from "../editor/HistoryButton.tsx";
import { Preview } from "../editor/Preview.tsx";
import { adoptStyles } from "../parts/adoptStyles.ts";
import { SaveButton } from "../parts/SaveButton.tsx";
import { TabHead } from "../parts/TabHead.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";
import { useEntity } from "../queries/useEntity.ts";
import stylesTabCss from "../styles/stylesTab.css" with { type: "text" };
import { Colours } from "./styles/Colours.tsx";
import { readings } from "./styles/readings.ts";
import { Typography } from "./styles/Typography.tsx";
import "./tabStyles.ts";

adoptStyles(stylesTabCss);

/** The sections that show every font, size and colour between them. */
const SHOWN = ["hero", "about", "connect"] as const;

/** Shows the two groups of fields and the site in them. */
export function StylesTab() {
  const draft = useDraft("styles");
  return (
    <>
      <TabHead title="Styles" note="Type and color for the whole site.">
        <HistoryButton entity="styles" />
        <Button variant="quiet" onClick={() => reset(draft)}>
          <RotateCcw size={16} aria-hidden="true" /> Reset to Defaults
        </Button>
        <SaveButton drafts={[draft]}>Save Styles</SaveButton>
      </TabHead>
      <WhenRead of={draft} what="styles">
        {() => (
          <div className="columns">
            <div className="stack">
              <Typography draft={draft} />
              <Colours draft={draft} />
            </div>
            <StylesPreview draft={draft} />
          </div>
        )}
      </WhenRead>
    </>
  );
}

/** Puts the defaults of spec section 9 into the form; Save Styles makes them real. */
function reset(draft: Draft<"styles">): void {
  const defaults = initialValues(entities.styles.fields);
  for (const [name, value] of Object.entries(defaults)) draft.set(name as "headingFont", value);
}

function StylesPreview({ draft }: { draft: Draft<"styles"> }) {
  return (
    <Preview
      section={SHOWN}
      content={useHomeContent()}
      edited={draft.dirty.length > 0}
      checks={readings(draft.values)}
      scrolls
    />
  );
}

const READS = ["hero", "about", "statistics", "connectLinks", "connectSettings"] as const;

/** The owner's own words and pictures; the defaults until they are read. */
function useHomeContent(): PageContent {
  const { site } = useShell();
  const read = {
    hero: useEntity("hero").value,
    about: useEntity("about").value,
    statistics: useEntity("statistics").value,
    connectLinks: useEntity("connectLinks").value,
    connectSettings: useEntity("connectSettings").value,
  } satisfies Partial<Record<EntityKey, unknown>>;
  const known = Object.entries(read).filter(([, value]) => value !== undefined);
  return { ...defaultsOf(READS, site.name), ...Object.fromEntries(known) };
}
