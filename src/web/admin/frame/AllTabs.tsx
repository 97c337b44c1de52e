/** All tabs by group, in a popover that is a bottom sheet on phones. Loaded only if the site has extras. */
import { Fragment, useRef } from "react";
import Menu from "lucide-react/icons/menu";
import { useStylesheet } from "../parts/useStylesheet.ts";
import type { Tab } from "../tabs/tabs.ts";
import css from "./AllTabs.css" with { type: "text" };

export { EXTRA_TABS } from "../tabs/extraTabs.ts";

interface AllTabsProps {
  readonly tabs: readonly Tab[];
  readonly openTab: Tab | undefined;
  readonly onChoose: (tab: Tab) => void;
}

export function AllTabs({ onChoose, ...groupsProps }: AllTabsProps) {
  useStylesheet(css);
  const sheetRef = useRef<HTMLDivElement>(null);
  const choose = (tab: Tab) => {
    sheetRef.current?.hidePopover();
    onChoose(tab);
  };
  return (
    <>
      <button type="button" className="rail-all row quiet medium" popoverTarget="all-tabs">
        <Menu size={16} aria-hidden="true" /> All tabs
      </button>
      <div ref={sheetRef} id="all-tabs" className="account-menu" popover="auto">
        <div
          className="all-handle phone-only"
          aria-hidden="true"
          onPointerDown={({ clientY }) =>
            sheetRef.current && startSheetDrag(sheetRef.current, clientY)
          }
        />
        <TabGroups {...groupsProps} onChoose={choose} />
      </div>
    </>
  );
}

/** The sheet closes if it is dragged down farther than this. */
const CLOSE_DRAG_PX = 60;

function startSheetDrag(sheet: HTMLElement, startY: number): void {
  const abortController = new AbortController();
  const { signal } = abortController;
  let draggedPx = 0;
  const endDrag = () => {
    abortController.abort();
    sheet.style.translate = "";
    if (draggedPx > CLOSE_DRAG_PX) sheet.hidePopover();
  };
  window.addEventListener(
    "pointermove",
    ({ clientY }) => {
      draggedPx = Math.max(0, clientY - startY);
      sheet.style.translate = `0 ${draggedPx}px`;
    },
    { signal },
  );
  window.addEventListener("pointerup", endDrag, { signal });
  window.addEventListener("pointercancel", endDrag, { signal });
}

function TabGroups({ tabs, openTab, onChoose }: AllTabsProps) {
  const groups = Map.groupBy(tabs, ({ group }) => group);
  return [...groups].map(([group, tabsOfGroup]) => (
    <Fragment key={group}>
      <p className="rail-caption faint small">{group}</p>
      <ul className="all-group">
        {tabsOfGroup.map((tab) => (
          <li key={tab.key}>
            <button
              type="button"
              className="menu-item full-width"
              aria-current={tab === openTab ? "page" : undefined}
              onClick={() => onChoose(tab)}
            >
              <tab.icon size={16} aria-hidden="true" /> <span>{tab.label}</span>
              {tab.Badge && <tab.Badge />}
            </button>
          </li>
        ))}
      </ul>
    </Fragment>
  ));
}
