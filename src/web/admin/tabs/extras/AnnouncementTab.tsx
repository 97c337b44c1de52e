/** The Announcement tab: text, link and period, beside a preview on the hero. */
import Clock from "lucide-react/icons/clock";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import { useDraft } from "../../data/useDraft.ts";
import { useEntity } from "../../data/useEntity.ts";
import { EntityForm } from "../../editor/Field.tsx";
import { HistoryButton, SaveButton } from "../../editor/tabButtons.tsx";
import { Preview } from "../../editor/Preview.tsx";
import {
  useSiteLocalTime,
  DisplayPeriodFields,
  describeOutcome,
} from "../../editor/DisplayPeriodFold.tsx";
import { Card } from "../../parts/Card.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { ExtraHead } from "./ExtraHead.tsx";
import css from "./extras.css" with { type: "text" };

export function AnnouncementTab() {
  useStylesheet(css);
  const draft = useDraft("announcement");
  const { value: hero } = useEntity("hero");
  const now = useSiteLocalTime();
  return (
    <>
      <ExtraHead>
        <HistoryButton entity="announcement" />
      </ExtraHead>
      <AsyncContent state={draft} subject="the announcement">
        {() => (
          <div className="columns stack gap-16">
            <Card title="Announcement">
              <div className="fields">
                <EntityForm draft={draft} fieldNames={["text", "link"]} />
                <DisplayPeriodFields draft={draft} />
              </div>
              <p className="separated align-start row border-top quiet">
                <Clock size={16} aria-hidden="true" />
                {draft.values.text
                  ? describeOutcome(draft.values, now)
                  : "Without text, visitors see no announcement."}
              </p>
              <div className="actions">
                <SaveButton drafts={[draft]}>Save</SaveButton>
              </div>
            </Card>
            {hero && (
              <Preview
                section="hero"
                content={{ announcement: draft.values, hero }}
                editedLabel={draft.dirtyFields.length > 0}
                isFullScreen
              />
            )}
          </div>
        )}
      </AsyncContent>
    </>
  );
}
