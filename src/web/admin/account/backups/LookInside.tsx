/** The contents of a backup and how they differ from now; restores everything, one section or one picture. */
import ArrowLeft from "lucide-react/icons/arrow-left";
import Check from "lucide-react/icons/check";
import Undo from "lucide-react/icons/undo-2";
import { type ReactNode, useState } from "react";
import type { InsideBackup, InsideSection, BackupSummary } from "../../../../schema/backups.ts";
import { Button } from "../../../ui/Button.tsx";
import { bringBack, undoSection, untilBroughtBack, useInside, type Wanted } from "./inside.ts";
import { failureMessage, toastSuccess } from "../../../ui/messages.ts";
import { fileSize } from "../../data/uploads.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { useSheet } from "../../parts/useSheet.ts";
import { weekdayOf, when } from "../../../shared/when.ts";
import { Read } from "../../../ui/Read.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { withToast } from "../../data/writes.ts";
import { tabs } from "../../tabs/tabs.ts";
import { InsidePictures, SmallPicture } from "./InsidePictures.tsx";
import css from "./LookInside.css" with { type: "text" };

/** `onClose` returns to the list. */
export interface LookInsideProps {
  readonly backup: BackupSummary;
  readonly onClose: () => void;
}

export function LookInside({ backup, onClose }: LookInsideProps) {
  useSheet(css);
  return (
    <section className="card" aria-labelledby="inside-title">
      <header className="card-head line wrap under inside-head">
        <IconButton icon={ArrowLeft} label="Back to the backups" onClick={onClose} />
        <div className="card-title wrap facts">
          <h3 id="inside-title">{when(backup.createdAt)}</h3>
          <span className="card-note faint small figures">{fileSize(backup.size)}</span>
        </div>
      </header>
      <Read
        of={useInside(backup.id)}
        what="this backup"
        loadingMessage="Loading what is in it..."
        advice={(error) => failureMessage(error, "Check your connection, then try again.")}
      >
        {(inside) => <Choices inside={inside} onClose={onClose} />}
      </Read>
    </section>
  );
}

type What = "everything" | "section" | "picture";

/** What to restore, how it differs, and one button. */
function Choices({ inside, onClose }: { inside: InsideBackup; onClose: () => void }) {
  const { pictures, createdAt } = inside;
  const sections = inside.sections.toSorted((one, other) => positionOf(one) - positionOf(other));
  const [what, choose] = useState<What>("section");
  const [name, chooseSection] = useState(
    (sections.find(({ changes }) => changes.length > 0) ?? sections[0])?.name,
  );
  const [picture, choosePicture] = useState<string>();
  const [isClosed, close] = useState(false);
  const section = sections.find((each) => each.name === name);
  const wanted = wantedOf(what, section?.name, picture);
  const [pending, restore] = useAction(
    (it: Wanted) => carryOut(inside, it, { onClose, onClosed: () => close(true) }),
    { failure: "Failed to bring it back" },
  );
  const choice = (key: What, title: string, note: string, more?: ReactNode) => (
    <>
      <label className="inside-choice bar full under">
        <input
          type="radio"
          name="inside"
          aria-label={title}
          checked={what === key}
          onChange={() => choose(key)}
        />
        <strong>{title}</strong>
        <span className="quiet small">{note}</span>
      </label>
      {what === key && more}
    </>
  );
  if (isClosed)
    return (
      <output className="pad">
        The site closes for a moment and opens with what comes back. This page reloads by itself.
      </output>
    );
  return (
    <>
      <fieldset>
        <legend className="small bold pad">What do you want to restore?</legend>
        {choice("everything", "Everything", `the whole site as it was on ${weekdayOf(createdAt)}`)}
        {choice(
          "section",
          "One section",
          "the rest stays as it is now",
          <div className="inside-chips pad under wrap">
            {sections.map((each) => (
              <button
                key={each.name}
                type="button"
                className="ui-button chip"
                aria-pressed={each.name === name}
                onClick={() => chooseSection(each.name)}
              >
                {each.name === name && <Check size={14} aria-hidden="true" />}
                {each.name}
              </button>
            ))}
          </div>,
        )}
        {choice(
          "picture",
          "One picture",
          `${pictures.length} in this backup`,
          <InsidePictures inside={inside} chosen={picture} onChoose={choosePicture} />,
        )}
      </fieldset>
      {what === "section" && section && <ThenAndNow inside={inside} section={section} />}
      {what === "everything" && <Everything inside={inside} />}
      <p className="pad quiet small line high">
        <Undo size={16} aria-hidden="true" /> {KEPT[what]}
      </p>
      <footer className="inside-foot pad ruled line">
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="primary"
          pending={pending}
          disabled={wanted === undefined}
          onClick={() => wanted && restore(wanted)}
        >
          {pending ? "Bringing back..." : buttonLabel(what, section?.name)}
        </Button>
      </footer>
    </>
  );
}

/** In the order of the tabs; sections without one, such as the site's name, come last. */
function positionOf({ name }: InsideSection): number {
  const at = tabs.findIndex(({ label }) => label === name);
  return at === -1 ? tabs.length : at;
}

const KEPT: Readonly<Record<What, string>> = {
  everything:
    "What is there now is kept as a backup first. You can bring that back in the same way.",
  section: "What is there now stays in the history of the section. You can put it back.",
  picture: "Nothing is replaced: the picture is added to your files, under its old address.",
};

function wantedOf(what: What, section?: string, picture?: string): Wanted | undefined {
  if (what === "everything") return { everything: true };
  if (what === "section") return section === undefined ? undefined : { section };
  return picture === undefined ? undefined : { picture };
}

function buttonLabel(what: What, section = ""): string {
  if (what === "everything") return "Restore everything";
  return what === "section" ? `Restore ${section}` : "Restore the picture";
}

/** Shows the result; after a full restore the page is reloaded, since everything may differ. */
async function carryOut(
  { id }: InsideBackup,
  wanted: Wanted,
  { onClose, onClosed }: { readonly onClose: () => void; readonly onClosed: () => void },
): Promise<void> {
  const replaced = await bringBack(id, wanted);
  if ("everything" in wanted) {
    onClosed();
    await untilBroughtBack(id);
    location.reload();
    return;
  }
  const what = "section" in wanted ? wanted.section : "Picture";
  const messages = { success: `${what} put back as before`, failure: "Failed to put it back" };
  const undo = () => void withToast(messages, () => undoSection(replaced));
  toastSuccess(
    `${what} brought back`,
    replaced.length > 0 ? { label: "Undo", onPress: undo } : undefined,
  );
  onClose();
}

interface SectionProps {
  readonly inside: InsideBackup;
  readonly section: InsideSection;
}

/** A section in the backup beside the current one, then the changes. */
function ThenAndNow({ inside, section }: SectionProps) {
  const { name, changes, counts, picturesInBackup, picturesNow } = section;
  const side = (title: string, of: "backup" | "now", urls: readonly string[]) => (
    <div className="inside-side frame">
      <p className="between facts wrap small">
        <strong>{title}</strong>
        <span className="quiet">{counts.map((each) => `${each[of]} ${each.what}`).join(", ")}</span>
      </p>
      {urls.length > 0 && (
        <div className="inside-strip">
          {urls.slice(0, 4).map((url) => (
            <SmallPicture key={url} inside={inside} url={url} />
          ))}
        </div>
      )}
    </div>
  );
  return (
    <div className="inside-compare pile apart pad">
      <h4 className="small">{name}, then and now</h4>
      <div className="inside-sides">
        {side(weekdayOf(inside.createdAt), "backup", picturesInBackup)}
        {side("Now", "now", picturesNow)}
      </div>
      {changes.length === 0 ? (
        <p className="quiet">Nothing has changed since.</p>
      ) : (
        <ul className="near pile quiet small">
          {changes.map((line) => (
            <li key={line} dir="auto">
              {line}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The whole site's changes, in short. */
function Everything({ inside }: { inside: InsideBackup }) {
  const { sections, submissions, subscriptions, pictures } = inside;
  const changed = sections.filter(({ changes }) => changes.length > 0).map(({ name }) => name);
  const missing = pictures.filter(({ isHere }) => !isHere).length;
  return (
    <div className="inside-compare pile apart pad">
      <h4 className="small">What has changed</h4>
      <dl className="inside-counts near pile small">
        <Count what="Sections that differ" value={changed.join(", ") || "none"} />
        <Count what="Submissions" value={`${submissions.backup} then, ${submissions.now} now`} />
        <Count
          what="Subscriptions"
          value={`${subscriptions.backup} then, ${subscriptions.now} now`}
        />
        <Count what="Pictures that come back" value={String(missing)} />
      </dl>
      <p className="quiet">
        Who may log in stays as it is, and people you erased since then stay erased.
      </p>
    </div>
  );
}

function Count({ what, value }: { what: string; value: string }) {
  return (
    <div className="line between far">
      <dt className="quiet">{what}</dt>
      <dd className="figures">{value}</dd>
    </div>
  );
}
