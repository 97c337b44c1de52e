/** The tabs: a rail on wide screens, a scrolling strip on phones. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type FocusEvent, Fragment, type RefObject, useEffect, useRef, useState } from "react";
import { type DraftState, useUnsavedDrafts } from "../data/drafts.ts";
import { TabContext } from "../data/useDraft.ts";
import { moveWithArrows } from "../parts/Subtabs.tsx";
import { useCurrentUser } from "../data/session.ts";
import { useEnabledExtras } from "../data/useEnabledExtras.ts";
import { ADD_TAB, type Tab, findTabsForRole } from "../tabs/tabs.ts";

/** Arrow keys, Home and End move among the tabs. */
export function TabRail() {
  const [open, choose] = useOpenTab();
  const [tabs, All] = useTabs();
  const strip = useRef<HTMLDivElement>(null);
  const edges = useOverflowEdges(strip);
  useScrollChosenIntoView(strip, `tab-${open?.key}`);
  const listed = tabs.filter((tab) => tab !== ADD_TAB);
  const stop = open && listed.includes(open) ? open : listed[0];
  const unsaved = new Set(useUnsavedDrafts().map((draft) => draft.tab));
  return (
    <nav className="rail" aria-label="Dashboard">
      {All && <All tabs={tabs} open={open} onChoose={choose} />}
      <div ref={strip} className="rail-strip" data-edges={edges} onFocus={scrollFocusedIntoView}>
        <div role="tablist" aria-label="Dashboard" aria-orientation="vertical">
          {listed.map((tab, at) => (
            <Fragment key={tab.key}>
              {tab.group !== listed[at - 1]?.group && (
                <span className="rail-caption faint small" aria-hidden="true">
                  {tab.group}
                </span>
              )}
              <TabButton
                tab={tab}
                isOpen={tab === open}
                isTabStop={tab === stop}
                isUnsaved={unsaved.has(tab.key)}
                onOpen={() => choose(tab)}
              />
            </Fragment>
          ))}
        </div>
        {tabs.includes(ADD_TAB) && (
          <AddButton isOpen={open === ADD_TAB} onOpen={() => choose(ADD_TAB)} />
        )}
      </div>
    </nav>
  );
}

interface TabButtonProps {
  readonly tab: Tab;
  readonly isOpen: boolean;
  /** The only tab in the tab order. Arrow keys reach the others. */
  readonly isTabStop: boolean;
  readonly isUnsaved: boolean;
  readonly onOpen: () => void;
}

function TabButton({ tab, isOpen, isTabStop, isUnsaved, onOpen }: TabButtonProps) {
  const { icon: Icon, label, Panel } = tab;
  return (
    <button
      type="button"
      role="tab"
      className="menu-item"
      id={`tab-${tab.key}`}
      aria-selected={isOpen}
      aria-controls="tab-panel"
      tabIndex={isTabStop ? 0 : -1}
      onClick={onOpen}
      onPointerEnter={() => void Panel.load()}
      onKeyDown={moveWithArrows}
    >
      <Icon size={16} className="faint" aria-hidden="true" />
      <span>{label}</span>
      {tab.Badge && <tab.Badge />}
      {isUnsaved && (
        <span className="dot" data-tone="warn">
          <span className="visually-hidden">unsaved changes</span>
        </span>
      )}
    </button>
  );
}

/** Below the tabs; on phones after the last one. */
function AddButton({ isOpen, onOpen }: Pick<TabButtonProps, "isOpen" | "onOpen">) {
  const { icon: Icon, key, label, Panel } = ADD_TAB;
  return (
    <button
      type="button"
      className="menu-item rail-add"
      id={`tab-${key}`}
      aria-current={isOpen ? "page" : undefined}
      onClick={onOpen}
      onPointerEnter={() => void Panel.load()}
    >
      <Icon size={16} className="faint" aria-hidden="true" />
      <span>{label}</span>
    </button>
  );
}

/** A failure in one tab doesn't affect the others. */
export function TabPanel({ tab }: { tab: Tab }) {
  return (
    <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab.key}`}>
      <TabContext.Provider value={tab.key}>
        <tab.Panel tab={tab} />
      </TabContext.Provider>
    </div>
  );
}

/** The open tab, undefined in the account area, and a function that opens another. The browser's Back returns. */
export function useOpenTab(): [Tab | undefined, (tab: Tab) => void] {
  const { tab: key, account } = route.useSearch();
  const [tabs] = useTabs();
  const navigate = route.useNavigate();
  const open = (tab: Tab) => void navigate({ search: { tab: tab.key }, resetScroll: false });
  if (account !== undefined) return [undefined, open];
  return [tabs.find((tab) => tab.key === key) ?? tabs[0], open];
}

/** Whether a draft belongs to the open tab or screen, or to none, and the name of its tab. */
export function useDraftLocation() {
  const { account } = route.useSearch();
  const [open] = useOpenTab();
  const [tabs] = useTabs();
  const openKey = open?.key ?? `account.${account}`;
  const findTab = ({ tab }: DraftState) => tabs.find(({ key }) => key === tab);
  return {
    isInOpenTab: (draft: DraftState) =>
      draft.tab === openKey || !(findTab(draft) || draft.tab.startsWith("account.")),
    getTabLabel: (draft: DraftState) => findTab(draft)?.label ?? draft.label,
  };
}

/** The tabs, and the sheet of all tabs, whose code is loaded once there are extras. */
function useTabs() {
  const { value: user } = useCurrentUser();
  const on = useEnabledExtras();
  const { data } = useQuery({
    queryKey: ["tabs"],
    queryFn: () => import("./AllTabs.tsx"),
    enabled: on.length > 0,
  });
  const added = data?.EXTRA_TABS.filter(({ key }) => on.includes(key)) ?? [];
  return [
    findTabsForRole(user?.role ?? "", added),
    added.length > 0 ? data?.AllTabs : undefined,
  ] as const;
}

const route = getRouteApi("/admin/dashboard");

/** Browsers don't scroll to partly visible elements. After a press, scrolling would lose the click. */
function scrollFocusedIntoView({ target }: FocusEvent<HTMLElement>): void {
  if (target.matches(":focus-visible"))
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Scrolls the strip, not the page, when another tab is chosen or a tab gets wider. */
function useScrollChosenIntoView(strip: RefObject<HTMLElement | null>, chosenId: string): void {
  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const show = () => {
      const chosen = document.getElementById(chosenId);
      if (!chosen) return;
      // Both offsets are relative to the rail, which contains the All tabs button too.
      const left = chosen.offsetLeft - element.offsetLeft;
      element.scrollLeft = left - (element.clientWidth - chosen.offsetWidth) / 2;
    };
    const observer = new ResizeObserver(show);
    for (const tab of element.querySelectorAll("button")) observer.observe(tab);
    return () => observer.disconnect();
  }, [strip, chosenId]);
}

/** The edges with hidden tabs: "", "start", "end" or "start end". */
function useOverflowEdges(strip: RefObject<HTMLElement | null>): string {
  const [edges, setEdges] = useState("");
  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const update = () => setEdges(findOverflowEdges(element));
    update();
    element.addEventListener("scroll", update, { passive: true });
    window.addEventListener("resize", update);
    return () => {
      element.removeEventListener("scroll", update);
      window.removeEventListener("resize", update);
    };
  }, [strip]);
  return edges;
}

function findOverflowEdges({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): string {
  const start = scrollLeft > 1 ? ["start"] : [];
  const end = scrollLeft + clientWidth < scrollWidth - 1 ? ["end"] : [];
  return [...start, ...end].join(" ");
}
