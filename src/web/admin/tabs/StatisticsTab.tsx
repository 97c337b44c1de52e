/** The Statistics tab: the figures as a list, and their preview. */
import type { EditedList } from "../data/editedValue.ts";
import type { Draft } from "../data/useDraft.ts";
import { EntityForm } from "../editor/Field.tsx";
import { Preview, type PreviewCheck } from "../editor/Preview.tsx";
import { sectionTab } from "./SectionTab.tsx";

export const StatisticsTab = sectionTab("statistics", {
  Fields: StatisticFields,
  Row: ({ value, label }) => (
    <>
      <strong className="row-figure tabular">{value}</strong>
      <span>{label}</span>
    </>
  ),
  Beside: StatisticsPreview,
});

function StatisticFields({ draft }: { draft: Draft<"statistics"> }) {
  return (
    <>
      <div className="statistic-form">
        <EntityForm draft={draft} only={["value", "label", "order"]} />
      </div>
      <p className="field-hint">Short values such as 250 or 40K work best.</p>
    </>
  );
}

function StatisticsPreview({ items, edited, newItem: newcomer }: EditedList<"statistics">) {
  const statistics = [...items].sort((a, b) => a.order - b.order);
  const position = newcomer === undefined ? -1 : statistics.indexOf(newcomer);
  const outline = "{outline:2px dashed currentColor;outline-offset:.75rem}";
  return (
    <Preview
      section="statistics"
      content={{ statistics }}
      applyDrafts={edited}
      checks={checksOf(statistics.map(({ value }) => value))}
      css={position < 0 ? "" : `.statistic:nth-child(${position + 1})${outline}`}
    />
  );
}

/** Longer values wrap on a phone. */
const SHORT_VALUE = 7;

function checksOf(values: readonly string[]): PreviewCheck[] {
  const long = values.find((value) => value.length > SHORT_VALUE);
  const even = values.length % 2 === 0;
  return [
    long === undefined
      ? { ok: true, strong: "All values fit", rest: "on a phone" }
      : { ok: false, strong: `"${long}" is long`, rest: "and appears small on a phone" },
    even
      ? { ok: true, strong: "Every row is full", rest: "on a phone" }
      : { ok: true, strong: "The last one", rest: "gets its own row on a phone" },
  ];
}
