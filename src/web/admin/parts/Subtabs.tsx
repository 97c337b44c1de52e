/** Tabs inside a tab. The URL names the open subtab (`&sub=`) and, after a dot, the one inside it. */
import { getRouteApi } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useId } from "react";
import { assertDefined } from "../../../schema/core/assertDefined.ts";

const route = getRouteApi("/admin/dashboard");

/** `note` is shown beside the label, such as "3 new". */
export interface Subtab {
  readonly key: string;
  readonly label: string;
  readonly note?: string | undefined;
  readonly panel: ReactNode;
}

/** `parentSubtab` is the key of the subtab around these subtabs. Undefined if they are directly inside a tab. */
interface SubtabsProps {
  readonly label: string;
  readonly tabs: readonly Subtab[];
  readonly parentSubtab?: string;
}

/** `<Subtabs label="Highlights" tabs={[{ key: "list", label: "Highlights", panel: <List /> }, …]} />` */
export function Subtabs({ label, tabs, parentSubtab }: SubtabsProps) {
  const id = useId();
  const { sub = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const key = sub.split(".")[parentSubtab === undefined ? 0 : 1];
  const openSubtab = assertDefined(tabs.find((tab) => tab.key === key) ?? tabs[0], "subtab");
  const open = (tab: Subtab) => {
    const subtab = parentSubtab === undefined ? tab.key : `${parentSubtab}.${tab.key}`;
    void navigate({ search: (search) => ({ ...search, sub: subtab }), resetScroll: false });
  };
  return (
    <>
      <div className="segmented subtabs" role="tablist" aria-label={label}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            aria-selected={tab === openSubtab}
            aria-controls={`${id}-panel`}
            tabIndex={tab === openSubtab ? 0 : -1}
            onClick={() => open(tab)}
            onKeyDown={moveWithArrows}
          >
            {tab.label}
            {tab.note && <span className="faint">{tab.note}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${openSubtab.key}`}>
        {openSubtab.panel}
      </div>
    </>
  );
}

const STEP_BY_KEY: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

/** Arrow keys focus and open the next or previous tab; Home and End open the first or last one. */
export function moveWithArrows(event: KeyboardEvent<HTMLElement>): void {
  const list = event.currentTarget.closest("[role=tablist]");
  const tabs = [...(list?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])];
  const next = findNextTab(tabs, event.currentTarget, event.key);
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.click();
}

function findNextTab(tabs: readonly HTMLElement[], tab: HTMLElement, key: string) {
  if (key === "Home") return tabs[0];
  if (key === "End") return tabs.at(-1);
  const step = STEP_BY_KEY[key];
  return step === undefined ? undefined : tabs.at((tabs.indexOf(tab) + step) % tabs.length);
}
