/** The About tab (spec section 2). */
import type { Item } from "../../../schema/index.ts";
import { type Draft, useDraft } from "../data/useDraft.ts";
import { useEntity } from "../data/useEntity.ts";
import { Field } from "../editor/Field.tsx";
import { HistoryButton } from "../editor/HistoryButton.tsx";
import { Preview } from "../editor/Preview.tsx";
import { SaveButton } from "../editor/SaveButton.tsx";
import { Card, TabHead } from "../parts/Card.tsx";
import { when } from "../parts/when.ts";
import { WhenRead } from "../parts/WhenRead.tsx";
import "./tabStyles.ts";

/** What the color editor shows while no color is set (spec section 9). */
const COLOR_FALLBACK = "#0a0a0a";

/** Shows the section as it is and the form that changes it. */
export function AboutTab() {
  const { value: stored } = useEntity("about");
  const { value: statistics = [] } = useEntity("statistics");
  const about = useDraft("about", { toBody: (values) => bodyOf(values, stored?.image ?? null) });
  const styles = useBackgroundColor();
  return (
    <>
      <TabHead title="About" note="Who you are, in your own words.">
        <HistoryButton entity="about" section="about" content={{ statistics: [] }} />
        <SaveButton drafts={[styles, about]}>Save About Content</SaveButton>
      </TabHead>
      <WhenRead of={about} what="about content">
        {() => (
          <div className="columns">
            <div className="stack">
              <Words about={about} />
              <Look about={about} styles={styles} />
            </div>
            <Preview
              section="about"
              content={{ about: about.values, statistics }}
              edited={about.dirty.length + styles.dirty.length > 0}
            >
              <p className="preview-note">Last updated {lastUpdated(about.stored.updatedAt)}</p>
            </Preview>
          </div>
        )}
      </WhenRead>
    </>
  );
}

/** The color is the styles' and has toasts of its own (spec section 8). */
function useBackgroundColor(): Draft<"styles"> {
  return useDraft("styles", {
    part: "about",
    name: "About",
    words: {
      success: "About background color updated successfully",
      failure: "Failed to update about background color",
    },
  });
}

function Words({ about }: { about: Draft<"about"> }) {
  return (
    <Card title="Text">
      <div className="fields">
        <Field draft={about} name="title" />
        <Field draft={about} name="content" />
      </div>
    </Card>
  );
}

function Look({ about, styles }: { about: Draft<"about">; styles: Draft<"styles"> }) {
  const { textColor } = styles.values;
  return (
    <Card title="Look">
      <div className="fields">
        <Field draft={about} name="image" folded />
        <Field
          draft={styles}
          name="aboutBackgroundColor"
          label="Background Color"
          fallback={COLOR_FALLBACK}
          against={{ color: textColor, words: "The text is hard to read on it" }}
        />
      </div>
    </Card>
  );
}

/** The image is sent only if one is selected (spec section 5), or to take the earlier one away. */
function bodyOf({ title, content, image }: Item<"about">, earlier: string | null) {
  if (image) return { title, content, image };
  return earlier === null ? { title, content } : { title, content, image: null };
}

function lastUpdated(moment: string | null): string {
  return moment === null ? "never" : when(moment);
}
