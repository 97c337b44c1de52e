/** The Statistics tab (spec section 2). */
import ChartNoAxesColumn from "lucide-react/icons/chart-no-axes-column";
import { type EditedList, useEditedList } from "../data/editedValue.ts";
import { useDraft } from "../data/useDraft.ts";
import { EntityForm } from "../editor/Field.tsx";
import { HistoryButton } from "../editor/HistoryButton.tsx";
import { type ItemFormProps, ItemList } from "../editor/ItemList.tsx";
import { Preview, type PreviewCheck } from "../editor/Preview.tsx";
import { ItemActions } from "../editor/SaveButton.tsx";
import { TabHead } from "../parts/Card.tsx";
import "./tabStyles.ts";

/** Longer values wrap on a phone. */
const SHORT_VALUE = 7;

/** Shows the figures as a list and as visitors see them. */
export function StatisticsTab() {
  const list = useEditedList("statistics");
  return (
    <>
      <TabHead title="Statistics" note="The numbers under your story, in this order." />
      <div className="columns">
        <ItemList
          entity="statistics"
          title="All statistics"
          what="statistics"
          add="Add New"
          empty={{
            icon: ChartNoAxesColumn,
            title: "No statistics yet",
            help: "Add a number you are proud of, such as shows played or people coached.",
          }}
          nameOf={({ label }) => label}
          confirmDelete="Are you sure you want to delete this statistic?"
          Form={StatisticForm}
          actions={<HistoryButton entity="statistics" section="statistics" />}
        >
          {({ value, label }) => (
            <>
              <strong className="row-figure">{value}</strong>
              <span>{label}</span>
            </>
          )}
        </ItemList>
        {list.items.length > 0 && <StatisticsPreview {...list} />}
      </div>
    </>
  );
}

function StatisticForm({ item, count, onClose }: ItemFormProps) {
  const draft = useDraft("statistics", { item, onSaved: onClose, initial: { order: count } });
  return (
    <>
      <div className="statistic-form">
        <EntityForm draft={draft} only={["value", "label", "order"]} />
      </div>
      <p className="field-hint">Short values read best, like 250 or 40K.</p>
      <ItemActions draft={draft} onClose={onClose} save="Save" />
    </>
  );
}

function StatisticsPreview({ items, edited, newcomer }: EditedList<"statistics">) {
  const statistics = [...items].sort((a, b) => a.order - b.order);
  const place = newcomer === undefined ? -1 : statistics.indexOf(items[newcomer]!);
  const outline = "{outline:2px dashed currentColor;outline-offset:.75rem}";
  return (
    <Preview
      section="statistics"
      content={{ statistics }}
      edited={edited}
      checks={checksOf(statistics.map(({ value }) => value))}
      css={place < 0 ? "" : `.statistic:nth-child(${place + 1})${outline}`}
    />
  );
}

function checksOf(values: readonly string[]): PreviewCheck[] {
  const long = values.find((value) => value.length > SHORT_VALUE);
  const even = values.length % 2 === 0;
  return [
    long === undefined
      ? { ok: true, strong: "Every value is short", rest: "enough for a phone" }
      : { ok: false, strong: `“${long}” is long`, rest: "and gets small on a phone" },
    even
      ? { ok: true, strong: "Rows of two", rest: "come out even on a phone" }
      : { ok: true, strong: "One stands alone", rest: "in the last row on a phone" },
  ];
}
