/** The tabs of the dashboard: a rail on wide screens, a scrolling strip on narrow ones. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type FocusEvent, Fragment, type RefObject, useEffect, useRef, useState } from "react";
import { type DraftState, useUnsavedDrafts } from "../data/drafts.ts";
import { TabContext } from "../data/useDraft.ts";
import { moveWithArrows } from "../parts/Subtabs.tsx";
import { useCurrentUser } from "../data/session.ts";
import { useEnabledExtras } from "../data/useEnabledExtras.ts";
import { ADD_TAB, type Tab, findTabsForRole } from "../tabs/tabs.ts";

export function TabRail() {
  const [openTab, setOpenTab] = useOpenTab();
  const [tabs, AllTabs] = useTabs();
  const stripRef = useRef<HTMLDivElement>(null);
  const edges = useOverflowEdges(stripRef);
  useScrollChosenIntoView(stripRef, `tab-${openTab?.key}`);
  const listedTabs = tabs.filter((tab) => tab !== ADD_TAB);
  const tabStop = openTab && listedTabs.includes(openTab) ? openTab : listedTabs[0];
  const unsavedTabKeys = new Set(useUnsavedDrafts().map((draft) => draft.tab));
  return (
    <nav className="rail" aria-label="Dashboard">
      {AllTabs && <AllTabs tabs={tabs} openTab={openTab} onChoose={setOpenTab} />}
      <div ref={stripRef} className="rail-strip" data-edges={edges} onFocus={scrollFocusedIntoView}>
        <div role="tablist" aria-label="Dashboard" aria-orientation="vertical">
          {listedTabs.map((tab, index) => (
            <Fragment key={tab.key}>
              {tab.group !== listedTabs[index - 1]?.group && (
                <span className="rail-caption faint small" aria-hidden="true">
                  {tab.group}
                </span>
              )}
              <TabButton
                tab={tab}
                isOpen={tab === openTab}
                isTabStop={tab === tabStop}
                isUnsaved={unsavedTabKeys.has(tab.key)}
                onOpen={() => setOpenTab(tab)}
              />
            </Fragment>
          ))}
        </div>
        {tabs.includes(ADD_TAB) && (
          <AddSectionButton isOpen={openTab === ADD_TAB} onOpen={() => setOpenTab(ADD_TAB)} />
        )}
      </div>
    </nav>
  );
}

interface TabButtonProps {
  readonly tab: Tab;
  readonly isOpen: boolean;
  /** True for the only tab that the Tab key reaches. Arrow keys reach the others. */
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

function AddSectionButton({ isOpen, onOpen }: Pick<TabButtonProps, "isOpen" | "onOpen">) {
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

export function TabPanel({ tab }: { tab: Tab }) {
  return (
    <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab.key}`}>
      <TabContext.Provider value={tab.key}>
        <tab.Panel tab={tab} />
      </TabContext.Provider>
    </div>
  );
}

/** Returns the open tab and a function that opens another tab. The tab is undefined in the account area. */
export function useOpenTab(): [Tab | undefined, (tab: Tab) => void] {
  const { tab: key, account } = route.useSearch();
  const [tabs] = useTabs();
  const navigate = route.useNavigate();
  const navigateTo = (tab: Tab) => void navigate({ search: { tab: tab.key }, resetScroll: false });
  if (account !== undefined) return [undefined, navigateTo];
  return [tabs.find((tab) => tab.key === key) ?? tabs[0], navigateTo];
}

/**
 * Returns two functions: one checks whether a draft belongs to the open tab, the other returns the label of a draft's
 * tab. A draft without a known tab counts as part of the open tab.
 */
export function useDraftLocation() {
  const { account } = route.useSearch();
  const [openTab] = useOpenTab();
  const [tabs] = useTabs();
  const openKey = openTab?.key ?? `account.${account}`;
  const findTab = ({ tab }: DraftState) => tabs.find(({ key }) => key === tab);
  return {
    isInOpenTab: (draft: DraftState) =>
      draft.tab === openKey || !(findTab(draft) || draft.tab.startsWith("account.")),
    getTabLabel: (draft: DraftState) => findTab(draft)?.label ?? draft.label,
  };
}

/** Returns the user's tabs, and the sheet of all tabs once the site has extras. */
function useTabs() {
  const { value: user } = useCurrentUser();
  const enabledExtras = useEnabledExtras();
  const { data } = useQuery({
    queryKey: ["tabs"],
    queryFn: () => import("./AllTabs.tsx"),
    enabled: enabledExtras.length > 0,
  });
  const extraTabs = data?.EXTRA_TABS.filter(({ key }) => enabledExtras.includes(key)) ?? [];
  return [
    findTabsForRole(user?.role ?? "", extraTabs),
    extraTabs.length > 0 ? data?.AllTabs : undefined,
  ] as const;
}

const route = getRouteApi("/admin/dashboard");

/** Browsers leave a focused tab partly hidden. On a press, scrolling would move the tab away before the click. */
function scrollFocusedIntoView({ target }: FocusEvent<HTMLElement>): void {
  if (target.matches(":focus-visible"))
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Scrolls the strip to the open tab when another tab opens or a tab gets wider. The page doesn't scroll. */
function useScrollChosenIntoView(stripRef: RefObject<HTMLElement | null>, chosenId: string): void {
  useEffect(() => {
    const element = stripRef.current;
    if (!element) return;
    const scrollToChosen = () => {
      const chosenTab = document.getElementById(chosenId);
      if (!chosenTab) return;
      // `offsetLeft` is relative to the rail, in which the button "All tabs" is before the strip.
      const left = chosenTab.offsetLeft - element.offsetLeft;
      element.scrollLeft = left - (element.clientWidth - chosenTab.offsetWidth) / 2;
    };
    const observer = new ResizeObserver(scrollToChosen);
    for (const button of element.querySelectorAll("button")) observer.observe(button);
    return () => observer.disconnect();
  }, [stripRef, chosenId]);
}

/** Returns the edges at which tabs are hidden: "", "start", "end" or "start end". */
function useOverflowEdges(stripRef: RefObject<HTMLElement | null>): string {
  const [edges, setEdges] = useState("");
  useEffect(() => {
    const element = stripRef.current;
    if (!element) return;
    const update = () => setEdges(findOverflowEdges(element));
    update();
    element.addEventListener("scroll", update, { passive: true });
    window.addEventListener("resize", update);
    return () => {
      element.removeEventListener("scroll", update);
      window.removeEventListener("resize", update);
    };
  }, [stripRef]);
  return edges;
}

function findOverflowEdges({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): string {
  const start = scrollLeft > 1 ? ["start"] : [];
  const end = scrollLeft + clientWidth < scrollWidth - 1 ? ["end"] : [];
  return [...start, ...end].join(" ");
}
