/** The tabs: a rail on a wide screen, a scrolling strip on a phone (look/admin.md). */
import { useSignals } from "@preact/signals-react/runtime";
import { Fragment, useRef } from "react";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { drafts, isUnsaved } from "../drafts/drafts.ts";
import { moveWithArrows } from "../parts/Subtabs.tsx";
import { type Tab, tabs } from "../tabs/tabs.ts";
import { useChosenInView } from "./useChosenInView.ts";
import { useEdges } from "./useEdges.ts";
import { useOpenTab } from "./useOpenTab.ts";

/** Renders one tablist; arrows move, Home and End go to the ends. */
export function TabRail() {
  useSignals();
  const [open, choose] = useOpenTab();
  const list = useRef<HTMLDivElement>(null);
  const edges = useEdges(list);
  useChosenInView(list, `tab-${open.key}`);
  const unsaved = new Set(
    Object.values(drafts.value)
      .filter(isUnsaved)
      .map((draft) => draft.tab),
  );
  return (
    <nav className="rail" aria-label="Dashboard">
      <div
        ref={list}
        role="tablist"
        aria-label="Dashboard"
        aria-orientation="vertical"
        data-edges={edges}
      >
        {tabs.map((tab, at) => (
          <Fragment key={tab.key}>
            {tab.group !== tabs[at - 1]?.group && (
              <span className="rail-caption" aria-hidden="true">
                {tab.group}
              </span>
            )}
            <TabButton
              tab={tab}
              isOpen={tab === open}
              isUnsaved={unsaved.has(tab.key)}
              onOpen={() => choose(tab)}
            />
          </Fragment>
        ))}
      </div>
    </nav>
  );
}

interface TabButtonProps {
  readonly tab: Tab;
  readonly isOpen: boolean;
  readonly isUnsaved: boolean;
  readonly onOpen: () => void;
}

function TabButton({ tab, isOpen, isUnsaved, onOpen }: TabButtonProps) {
  const { icon: Icon, label, load } = tab;
  return (
    <button
      type="button"
      role="tab"
      id={`tab-${tab.key}`}
      aria-selected={isOpen}
      aria-controls="tab-panel"
      tabIndex={isOpen ? 0 : -1}
      onClick={onOpen}
      onPointerEnter={() => void load()}
      onKeyDown={moveWithArrows}
    >
      <Icon size={16} aria-hidden="true" />
      <span>{label}</span>
      {tab.Count && <tab.Count />}
      {isUnsaved && (
        <span className="dot" data-tone="warn">
          <VisuallyHidden>unsaved changes</VisuallyHidden>
        </span>
      )}
    </button>
  );
}
