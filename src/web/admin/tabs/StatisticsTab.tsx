/** The Statistics tab: the list of figures, beside their preview. */
import type { EditedList } from "../data/editedValue.ts";
import { Preview, type PreviewCheck } from "../editor/Preview.tsx";
import { createSectionTab } from "./SectionTab.tsx";

export const StatisticsTab = createSectionTab("statistics", {
  overrideFields: () => ({
    value: {
      contentBelow: (
        <p key="hint" className="field-hint">
          Short values such as 250 or 40K work best.
        </p>
      ),
    },
  }),
  Row: ({ value, label }) => (
    <>
      <strong className="row-figure">{value}</strong>
      <span>{label}</span>
    </>
  ),
  SidePreview: StatisticsPreview,
});

function StatisticsPreview({ items, editedLabel, newItem }: EditedList<"statistics">) {
  const statistics = [...items].sort((a, b) => a.order - b.order);
  const newItemIndex = newItem === undefined ? -1 : statistics.indexOf(newItem);
  const outlineRule = "{outline:2px dashed currentColor;outline-offset:.75rem}";
  return (
    <Preview
      section="statistics"
      content={{ statistics }}
      editedLabel={editedLabel}
      checks={createChecks(statistics.map(({ value }) => value))}
      css={newItemIndex < 0 ? "" : `.statistic:nth-child(${newItemIndex + 1})${outlineRule}`}
    />
  );
}

/** Longer values are shown small on phones. */
const MAX_SHORT_VALUE_LENGTH = 7;

function createChecks(values: readonly string[]): PreviewCheck[] {
  const longValue = values.find((value) => value.length > MAX_SHORT_VALUE_LENGTH);
  const isEven = values.length % 2 === 0;
  return [
    longValue === undefined
      ? { isPassed: true, result: "All values fit", detail: "on a phone" }
      : {
          isPassed: false,
          result: `"${longValue}" is long`,
          detail: "and appears small on a phone",
        },
    isEven
      ? { isPassed: true, result: "Every row is full", detail: "on a phone" }
      : { isPassed: true, result: "The last statistic", detail: "gets its own row on a phone" },
  ];
}
