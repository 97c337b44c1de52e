/** The Sections subtab: the home page's sections and their order. */
import { Link } from "@tanstack/react-router";
import { type ReactNode, type RefObject, useRef } from "react";
import { entities, type Entity } from "../../../../schema/index.ts";
import { isOnPage } from "../../../../schema/sections/sectionSettings.ts";
import type { PageContent } from "../../../shared/content.ts";
import type { ArrangeSections, HomeSection } from "../../../previews/sectionPreviews.ts";
import { Button } from "../../../ui/Button.tsx";
import { moveId } from "../../data/listWrites.ts";
import { announce } from "../../../ui/messages.ts";
import type { Draft } from "../../data/useDraft.ts";
import { DragHandle, type MovableRow, MoveButtons } from "../../editor/OrderedList.tsx";
import orderedCss from "../../editor/OrderedList.css" with { type: "text" };
import { useArrangement } from "../../editor/useArrangement.ts";
import { useDragOrder, useFocusAcrossMoves } from "../../editor/useOrdering.ts";
import { Card } from "../../parts/Card.tsx";
import { ToggleField } from "../../parts/Toggle.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";

/** The Updates tab at the edge of the page can be hidden but not moved. */
const UPDATES_SECTION = "updates";

interface SectionsSubtabProps {
  readonly draft: Draft<"styles">;
  readonly content: PageContent;
}

export function SectionsSubtab({ draft, content }: SectionsSubtabProps) {
  useStylesheet(orderedCss);
  return (
    <AsyncContent
      state={useArrangement()}
      subject="the sections"
      loadingMessage="Loading sections..."
    >
      {(arrange) => (
        <SectionArrangement
          draft={draft}
          content={content}
          arrange={(order) => findHomePageSections(arrange(order), content)}
        />
      )}
    </AsyncContent>
  );
}

/** Leaves out sections that are only on the coaching page. */
export const findHomePageSections = (sections: readonly HomeSection[], content: PageContent) =>
  sections.filter(({ placementKey }) => !placementKey || isOnPage("home", content[placementKey]));

interface SectionArrangementProps extends SectionsSubtabProps {
  readonly arrange: ArrangeSections;
}

function SectionArrangement({ draft, content, arrange }: SectionArrangementProps) {
  const listRef = useRef<HTMLOListElement>(null);
  const { hiddenSections, sectionOrder } = draft.values;
  const { shown, moveBy } = useSectionOrder(listRef, draft, arrange);
  return (
    <>
      <Card
        title="Home page"
        note="drag to reorder"
        isFlush
        actions={
          <Button
            variant="quiet"
            size="small"
            disabled={sectionOrder.length === 0}
            onClick={() => draft.setField("sectionOrder", [])}
          >
            Reset order
          </Button>
        }
      >
        <FixedRow label="Hero" note="always first" action={<span className="quiet">Fixed</span>} />
        <ol ref={listRef} className="rows divided border-top">
          {shown.map((section, index) => (
            <SectionRow
              key={section.name}
              name={getLabel(section)}
              note={
                hiddenSections.includes(section.name) ? "hidden" : describeSection(section, content)
              }
              index={index}
              count={shown.length}
              onMove={(step) => moveBy(section.name, step)}
              toggle={
                <VisibilityToggle draft={draft} name={section.name} label={getLabel(section)} />
              }
            />
          ))}
        </ol>
        <div className="divided border-top">
          <FixedRow
            label="Updates"
            note={
              hiddenSections.includes(UPDATES_SECTION)
                ? "hidden"
                : "the mailing-list tab at the edge of the page"
            }
            action={<VisibilityToggle draft={draft} name={UPDATES_SECTION} label="Updates" />}
          />
          <FixedRow
            label="Add section"
            note="more sections for your site"
            action={<AddSectionLink />}
          />
        </div>
      </Card>
      <NavButtons sections={shown} draft={draft} />
    </>
  );
}

/** Returns the sections in the order of the current drag, and `moveBy`, which the buttons use to move a section. */
function useSectionOrder(
  listRef: RefObject<HTMLOListElement | null>,
  draft: Draft<"styles">,
  arrange: ArrangeSections,
) {
  const defaultSections = arrange([]);
  const names = arrange(draft.values.sectionOrder).map(({ name }) => name);
  const findSectionsNamed = (name: string) => defaultSections.filter((each) => each.name === name);
  const applyOrder = (nextNames: readonly string[], movedName: string) => {
    const isDefaultOrder = nextNames.every((name, index) => name === defaultSections[index]?.name);
    draft.setField("sectionOrder", isDefaultOrder ? [] : nextNames);
    const position = `${nextNames.indexOf(movedName) + 1} of ${nextNames.length}`;
    for (const section of findSectionsNamed(movedName))
      announce(`${getLabel(section)} moved to position ${position}`);
  };
  const moveBy = (name: string, step: 1 | -1) => {
    const nextNames = moveId(names, name, step);
    if (nextNames) applyOrder(nextNames, name);
  };
  const shownSections = useDragOrder(listRef, names, applyOrder).flatMap(findSectionsNamed);
  useFocusAcrossMoves(listRef);
  return { shown: shownSections, moveBy };
}

interface VisibilityToggleProps {
  readonly draft: Draft<"styles">;
  readonly name: string;
  readonly label: string;
}

function VisibilityToggle({ draft, name, label }: VisibilityToggleProps) {
  const { hiddenSections } = draft.values;
  const others = hiddenSections.filter((each) => each !== name);
  return (
    <ToggleField
      state={{
        value: !hiddenSections.includes(name),
        setValue: (isShown) =>
          draft.setField("hiddenSections", isShown ? others : [...others, name]),
      }}
      label={`Show ${label}`}
      isLabelHidden
    />
  );
}

const AddSectionLink = () => (
  <Link to="/admin/dashboard" search={{ tab: "add" }} className="ui-button" data-variant="quiet">
    Open
  </Link>
);

interface FixedRowProps {
  readonly label: string;
  readonly note: string;
  readonly action: ReactNode;
}

function FixedRow({ label, note, action }: FixedRowProps) {
  return (
    <div className="list-row section-row">
      <div className="row-line row">
        <span className="grip" aria-hidden="true" />
        <SectionText label={label} note={note} />
        {action}
      </div>
    </div>
  );
}

function SectionText({ label, note }: { label: string; note: string }) {
  return (
    <div className="row-content row cluster grow title-note">
      <strong>{label}</strong>
      <span className="faint small">{note}</span>
    </div>
  );
}

interface SectionRowProps extends MovableRow {
  readonly note: string;
  readonly toggle: ReactNode;
}

function SectionRow({ note, toggle, ...row }: SectionRowProps) {
  return (
    <li className="list-row section-row">
      <div className="row-line row">
        <DragHandle name={row.name} onMove={row.onMove} />
        <SectionText label={row.name} note={note} />
        <div className="row-actions row">
          <MoveButtons {...row} />
        </div>
        {toggle}
      </div>
    </li>
  );
}

interface NavButtonsProps {
  readonly draft: Draft<"styles">;
  readonly sections: readonly HomeSection[];
}

function NavButtons({ draft, sections }: NavButtonsProps) {
  const hidden = draft.values.hiddenSections;
  const buttons = sections.flatMap(({ name, button }) =>
    button === undefined || hidden.includes(name) ? [] : [button],
  );
  return (
    <Card title="Navigation bar">
      <ul className="cluster">
        {[...buttons, "Coaching"].map((label) => (
          <li key={label} className="badge">
            {label}
          </li>
        ))}
      </ul>
      <p className="quiet small mt-12">Shows a button for each visible section.</p>
    </Card>
  );
}

function getLabel({ button, entityKeys }: HomeSection): string {
  return button ?? entities[entityKeys[0]].section;
}

function describeSection({ entityKeys }: HomeSection, content: PageContent): string {
  const { shape, tab }: Entity = entities[entityKeys[0]];
  const facts = entityKeys.flatMap((key) => {
    const value = content[key];
    if (!Array.isArray(value)) return [];
    const { label, plural } = entities[key];
    const noun = value.length === 1 ? label : plural;
    return value.length === 0 ? [] : [`${value.length} ${noun.toLowerCase()}`];
  });
  if (shape === "singleton") return [tab?.contentNote ?? "your text", ...facts].join(", ");
  return facts.length > 0 ? facts.join(", ") : "empty: appears with the first item";
}
