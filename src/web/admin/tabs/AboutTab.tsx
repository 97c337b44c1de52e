/** The About tab: the section's text, image and background color. */
import { entities } from "../../../schema/index.ts";
import { type Draft, useDraft } from "../data/useDraft.ts";
import { useEntity } from "../data/useEntity.ts";
import { EntityForm, Field } from "../editor/Field.tsx";
import { HistoryButton, SaveButton } from "../editor/tabButtons.tsx";
import { Preview } from "../editor/Preview.tsx";
import { Card, TabHead } from "../parts/Card.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import { formatRelativeDateTimeInSentence } from "../../shared/formatTimes.ts";
import { AsyncContent } from "../../ui/AsyncContent.tsx";
import css from "./sectionTab.css" with { type: "text" };

/** The color that the input shows if no color is set. */
const COLOR_FALLBACK = "#0a0a0a";

export function AboutTab() {
  useStylesheet(css);
  const { value: statistics = [] } = useEntity("statistics");
  const about = useDraft("about");
  // The background color is a field of `styles`, whose default messages would name the site's styles.
  const styles = useDraft("styles", {
    part: "about",
    label: "About",
    messages: {
      success: "About background color updated successfully",
      failure: "Failed to update about background color",
    },
  });
  return (
    <>
      <TabHead title="About" note={entities.about.tab?.note}>
        <HistoryButton entity="about" section="about" content={{ statistics: [] }} />
        <SaveButton drafts={[styles, about]} mainDraft={about}>
          Save About Content
        </SaveButton>
      </TabHead>
      <AsyncContent state={about} subject="about content">
        {() => (
          <div className="columns stack gap-16">
            <div className="stack gap-16">
              <Card title="Text">
                <EntityForm draft={about} fieldNames={["title", "content"]} />
              </Card>
              <Appearance about={about} styles={styles} />
            </div>
            <Preview
              section="about"
              content={{ about: about.values, statistics }}
              editedLabel={about.dirtyFields.length + styles.dirtyFields.length > 0}
            >
              <p className="pad border-top quiet small">
                {describeLastUpdate(about.stored.updatedAt)}
              </p>
            </Preview>
          </div>
        )}
      </AsyncContent>
    </>
  );
}

function Appearance({ about, styles }: { about: Draft<"about">; styles: Draft<"styles"> }) {
  const { textColor } = styles.values;
  return (
    <Card title="Image and background">
      <div className="fields">
        <Field draft={about} name="image" isFolded />
        <Field
          draft={styles}
          name="aboutBackgroundColor"
          label="Background Color"
          fallbackColor={COLOR_FALLBACK}
          contrastWith={{ color: textColor, message: "Text is hard to read on this color" }}
        />
      </div>
    </Card>
  );
}

function describeLastUpdate(timestamp: string | null): string {
  return timestamp === null
    ? "Not edited yet"
    : `Last updated ${formatRelativeDateTimeInSentence(timestamp)}`;
}
