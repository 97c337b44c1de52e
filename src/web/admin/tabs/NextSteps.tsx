/** Next steps: a new site's checklist. Finished steps are detected automatically. */
import { useNavigate } from "@tanstack/react-router";
import Check from "lucide-react/icons/check";
import { useEffect, useState } from "react";
import type { Content } from "../../../schema/index.ts";
import { COACHING_PATH } from "../../../schema/sections/pageOrder.ts";
import { usePageContext } from "../../shared/pageContext.ts";
import { Button } from "../../ui/Button.tsx";
import { toastFailure } from "../../ui/messages.ts";
import { useEntity } from "../data/useEntity.ts";
import { saveEntity } from "../data/entityWrites.ts";
import { Card } from "../parts/Card.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import { useSubmissionCounts } from "./forms/submissionCounts.tsx";
import css from "./NextSteps.css" with { type: "text" };

export interface NextStepsCardProps {
  readonly welcome: Content<"welcome">;
}

/** The checklist on the Hero tab. If it is finished during this visit, it says so until the next visit. */
export function NextStepsCard({ welcome }: NextStepsCardProps) {
  const [wasDoneBefore] = useState(welcome.checklist === "done");
  return wasDoneBefore || welcome.checklist === "hidden" ? null : <Checklist welcome={welcome} />;
}

/** The checklist in the account area. Its button shows a hidden checklist on the Hero tab again. */
export function NextStepsScreen() {
  const { value: welcome } = useEntity("welcome");
  if (!welcome || welcome.state === "none")
    return (
      <p className="quiet">
        This site was set up before this list existed, so there's nothing to show here.
      </p>
    );
  return <Checklist welcome={welcome} />;
}

export function NextStepsNote() {
  const { value: welcome } = useEntity("welcome");
  const items = useChecklistItems();
  if (!items || !welcome || welcome.state === "none") return null;
  return (
    <span className="quiet">
      {items.filter(({ isDone }) => isDone).length} of {items.length}
    </span>
  );
}

function Checklist({ welcome }: NextStepsCardProps) {
  useStylesheet(css);
  const items = useChecklistItems();
  const { siteUrl } = usePageContext();
  if (!items) return null;
  const isShown = welcome.checklist === "shown";
  const doneCount = items.filter((item) => item.isDone).length;
  if (doneCount === items.length) return <ChecklistDone />;
  const nextItem = items.find((item) => !item.isDone);
  return (
    <Card
      title="Next steps"
      note={`${doneCount} of ${items.length} done`}
      isFlush
      className="mb-16"
      actions={
        <Button variant="quiet" onClick={() => void saveChecklist(isShown ? "hidden" : "shown")}>
          {isShown ? "Hide" : "Show on the Hero tab"}
        </Button>
      }
    >
      {siteUrl === null && <p className="quiet small pad">{NO_SITE_URL_NOTE}</p>}
      <progress className="next-steps-bar" aria-label="Done" value={doneCount} max={items.length} />
      <ul className="rows divided">
        {items.map((item) => (
          <ChecklistRow key={item.title} item={item} isNext={item === nextItem} />
        ))}
      </ul>
    </Card>
  );
}

const NO_SITE_URL_NOTE =
  "Set the site's public URL (SITE_URL) on the server. Without it, links in emails, booked calls and link previews don't work.";

async function saveChecklist(checklist: Content<"welcome">["checklist"]): Promise<void> {
  try {
    await saveEntity("welcome", { checklist });
  } catch (error) {
    toastFailure(error, "Couldn't save. Check your connection and try again.");
  }
}

function ChecklistDone() {
  // The finished checklist is shown once, or again on the next visit if saving fails.
  useEffect(() => void saveEntity("welcome", { checklist: "done" }).catch(() => undefined), []);
  return (
    <Card title="Next steps" className="mb-16">
      <p className="gap-12 row">
        <span className="step-check center" data-done>
          <Check size={14} strokeWidth={3} aria-hidden="true" />
        </span>
        All done. Your site is ready for visitors.
      </p>
    </Card>
  );
}

/** `search` opens a dashboard screen, `href` a page in a new tab. Without both, the welcome assistant opens. */
interface ChecklistItem {
  readonly isDone: boolean;
  readonly title: string;
  readonly note: string;
  readonly action: string;
  readonly href?: string;
  readonly search?: Readonly<{ tab?: string; sub?: string; account?: string }>;
  readonly focusSelector?: string;
}

function ChecklistRow({ item, isNext }: { item: ChecklistItem; isNext: boolean }) {
  const { isDone, title, note } = item;
  return (
    <li className="list-row next-steps-item gap-16 card-row row" data-done={isDone || undefined}>
      <span className="step-check center" data-done={isDone || undefined}>
        {isDone && <Check size={14} strokeWidth={3} aria-hidden="true" />}
      </span>
      <span className="step-text title-note grow">
        <strong>{title}</strong>
        {isDone ? (
          <span className="visually-hidden">done</span>
        ) : (
          <span className="faint small">{note}</span>
        )}
      </span>
      {!isDone && <ChecklistAction item={item} variant={isNext ? "primary" : "neutral"} />}
    </li>
  );
}

interface ChecklistActionProps {
  readonly item: ChecklistItem;
  readonly variant: "primary" | "neutral";
}

function ChecklistAction({ item, variant }: ChecklistActionProps) {
  const navigate = useNavigate();
  const { action, href, search, focusSelector } = item;
  const open = async () => {
    if (search === undefined) return navigate({ to: "/admin/welcome" });
    await navigate({ to: "/admin/dashboard", search });
    if (focusSelector !== undefined) focusWhenPresent(focusSelector);
  };
  if (href === undefined)
    return (
      <Button variant={variant} onClick={() => void open()}>
        {action}
      </Button>
    );
  return (
    <a className="ui-button" data-variant={variant} href={href} target="_blank" rel="noopener">
      {action}
    </a>
  );
}

const TAB_LOAD_TIMEOUT_MS = 10_000;

function focusWhenPresent(selector: string): void {
  const tryFocus = () => {
    const element = document.querySelector<HTMLElement>(selector);
    if (!element) return;
    observer.disconnect();
    element.focus();
  };
  const observer = new MutationObserver(tryFocus);
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), TAB_LOAD_TIMEOUT_MS);
  tryFocus();
}

/** Returns the steps; undefined until all data is loaded. */
function useChecklistItems(): readonly ChecklistItem[] | undefined {
  const hero = useEntity("hero").value;
  const styles = useEntity("styles").value;
  const links = useEntity("connectLinks").value;
  const about = useEntity("about").value;
  const highlights = useEntity("highlights").value;
  const site = useEntity("site").value;
  const submissionCounts = useSubmissionCounts();
  if (!hero || !styles || !links || !about || !highlights || !site || !submissionCounts)
    return undefined;
  const hasSubmissions = Object.values(submissionCounts).some(({ total }) => total > 0);
  return [
    {
      isDone:
        hero.subtitle !== hero.mainTitle && hero.backgroundImage !== null && styles.look !== "own",
      title: "Add your name, photo and look",
      note: "Four short steps",
      action: "Set up",
    },
    {
      isDone: links.length > 0,
      title: "Add your links",
      note: "Your profiles on other sites · 1 minute",
      action: "Add",
      search: { tab: "connect" },
      focusSelector: "#tab-panel [data-adds]",
    },
    {
      isDone: countSentences(about.content) >= 3,
      title: "Write three sentences about yourself",
      note: "About · 2 minutes",
      action: "Write",
      search: { tab: "about" },
      focusSelector: "#tab-panel [contenteditable=true]",
    },
    {
      isDone: highlights.length >= 4,
      title: "Add four highlights",
      note: "Highlights · 3 minutes",
      action: "Add",
      search: { tab: "highlights" },
      focusSelector: "#tab-panel [data-adds]",
    },
    {
      isDone: hasSubmissions,
      title: "Try your enquiry form",
      note: "Send yourself a test submission",
      action: "Try it",
      href: `${COACHING_PATH}#enquiry`,
    },
    {
      isDone: site.contactEmail !== null,
      title: "Add a contact email",
      note: "Site settings · 1 minute",
      action: "Add",
      search: { account: "site" },
      focusSelector: ".account-page input[type=email]",
    },
  ];
}

/** Counts the sentences in rich text by their end marks: `.`, `!`, `?` or `…`. */
function countSentences(html: string): number {
  const text = html.replace(/<[^<>]*>/g, " ").replaceAll("&nbsp;", " ");
  return text.match(/[^\s.!?…][.!?…]+(?=\s|$)/g)?.length ?? 0;
}
