/** Compares a backup with the current site, and restores everything, one section or one image. */
import ArrowLeft from "lucide-react/icons/arrow-left";
import Check from "lucide-react/icons/check";
import Undo from "lucide-react/icons/undo-2";
import { type ReactNode, useState } from "react";
import type {
  BackupContent,
  BackupPicture,
  BackupSection,
  BackupSummary,
} from "../../../../schema/api/backups.ts";
import { Button } from "../../../ui/Button.tsx";
import {
  restorePart,
  undoRestore,
  waitUntilRestored,
  useBackupContent,
  type RestoreRequest,
} from "./useBackups.tsx";
import { getFailureMessage, toastSuccess } from "../../../ui/messages.ts";
import { formatFileSize } from "../../data/uploads.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { RadioField, type RadioOption } from "../../parts/ChoiceFields.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { formatWeekday, formatRelativeDateTime } from "../../../shared/formatTimes.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { runWithToast } from "../../data/entityWrites.ts";
import { tabs } from "../../tabs/tabs.ts";
import { createFocusStyle, UrlThumbnail } from "../../parts/Thumbnail.tsx";
import css from "./BackupViewer.css" with { type: "text" };

export interface BackupViewerProps {
  readonly backup: BackupSummary;
  readonly onClose: () => void;
}

export function BackupViewer({ backup, onClose }: BackupViewerProps) {
  useStylesheet(css);
  return (
    <section className="card" aria-labelledby="inside-title">
      <header className="card-head row cluster border-bottom viewer-head">
        <IconButton icon={ArrowLeft} label="Back to backups" onClick={onClose} />
        <div className="card-title cluster">
          <h3 id="inside-title">{formatRelativeDateTime(backup.createdAt)}</h3>
          <span className="faint small">{formatFileSize(backup.size)}</span>
        </div>
      </header>
      <AsyncContent
        state={useBackupContent(backup.id)}
        subject="this backup"
        loadingMessage="Loading backup..."
        getAdvice={(error) => getFailureMessage(error, "Check your connection, then try again.")}
      >
        {(content) => <RestoreForm content={content} onClose={onClose} />}
      </AsyncContent>
    </section>
  );
}

type RestoreScope = "everything" | "section" | "picture";

function RestoreForm({ content, onClose }: { content: BackupContent; onClose: () => void }) {
  const sections = content.sections.toSorted(
    (one, other) => findTabPosition(one) - findTabPosition(other),
  );
  const [choice, setChoice] = useState<RestoreChoice>({
    scope: "section",
    section: sections.find(({ changes }) => changes.length > 0) ?? sections[0],
    pictureId: undefined,
  });
  const [siteRestore, setSiteRestore] = useState<keyof typeof SITE_RESTORE_NOTES>();
  const { scope, section } = choice;
  const request = toRestoreRequest(choice);
  const [isPending, restore] = useAction(
    (submittedRequest: RestoreRequest) =>
      runRestore(content, submittedRequest, {
        onClose,
        onSiteRestore: setSiteRestore,
      }),
    { failure: "Couldn't restore from this backup" },
  );
  if (siteRestore) return <output className="pad">{SITE_RESTORE_NOTES[siteRestore]}</output>;
  return (
    <>
      <RestoreOptions
        content={content}
        sections={sections}
        choice={choice}
        onChoose={(change) => setChoice({ ...choice, ...change })}
      />
      {scope === "section" && section && <SectionComparison content={content} section={section} />}
      {scope === "everything" && <SiteComparison content={content} />}
      <p className="pad quiet small row align-start">
        <Undo size={16} aria-hidden="true" /> {UNDO_NOTES[scope]}
      </p>
      <footer className="inside-foot pad border-top">
        <div className="actions">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            isPending={isPending}
            disabled={request === undefined}
            onClick={() => request && restore(request)}
          >
            {isPending ? "Restoring..." : getButtonLabel(choice)}
          </Button>
        </div>
      </footer>
    </>
  );
}

const SITE_RESTORE_NOTES = {
  running:
    "Your site will be offline for a moment while it's restored. This page reloads automatically.",
  late: "The restore is taking longer than expected. Reload this page in a few minutes to see whether it's finished.",
} as const;

interface RestoreChoice {
  readonly scope: RestoreScope;
  readonly section: BackupSection | undefined;
  readonly pictureId: string | undefined;
}

interface RestoreOptionsProps {
  readonly content: BackupContent;
  readonly sections: readonly BackupSection[];
  readonly choice: RestoreChoice;
  readonly onChoose: (change: Partial<RestoreChoice>) => void;
}

function RestoreOptions({ content, sections, choice, onChoose }: RestoreOptionsProps) {
  const options: readonly RadioOption<RestoreScope>[] = [
    createOption(
      "everything",
      "Everything",
      `The whole site as of ${formatWeekday(content.createdAt)}`,
    ),
    createOption(
      "section",
      "One section",
      "Everything else stays as it is now",
      <div className="inside-chips pad border-bottom cluster">
        {sections.map((section) => (
          <button
            key={section.name}
            type="button"
            className="ui-button chip"
            aria-pressed={section === choice.section}
            onClick={() => onChoose({ section })}
          >
            {section === choice.section && <Check size={14} aria-hidden="true" />}
            {section.name}
          </button>
        ))}
      </div>,
    ),
    createOption(
      "picture",
      "One image",
      `${content.pictures.length} in this backup`,
      <BackupPictures
        content={content}
        selectedId={choice.pictureId}
        onChoose={(pictureId) => onChoose({ pictureId })}
      />,
    ),
  ];
  return (
    <RadioField
      state={{ value: choice.scope, setValue: (scope) => onChoose({ scope }) }}
      label="What do you want to restore?"
      options={options}
      legendClass="small pad"
      optionClass="checkbox card-row full-width border-bottom"
    />
  );
}

const createOption = (value: RestoreScope, label: string, note: string, details?: ReactNode) => ({
  value,
  label,
  content: (
    <span>
      <strong>{label}</strong> <span className="quiet small">{note}</span>
    </span>
  ),
  details,
});

interface BackupPicturesProps {
  readonly content: BackupContent;
  readonly selectedId: string | undefined;
  readonly onChoose: (id: string) => void;
}

function BackupPictures({ content, selectedId, onChoose }: BackupPicturesProps) {
  const missing = content.pictures.filter(({ isHere }) => !isHere);
  if (missing.length === 0)
    return (
      <p className="pad border-bottom quiet">All images in this backup are still on your site.</p>
    );
  return (
    <div className="viewer-pictures pad auto-grid border-bottom">
      {missing.map((picture) => (
        <button
          key={picture.id}
          type="button"
          className="option stack quiet note"
          aria-pressed={picture.id === selectedId}
          onClick={() => onChoose(picture.id)}
        >
          <Thumbnail content={content} picture={picture} />
          <span>{picture.name}</span>
        </button>
      ))}
    </div>
  );
}

function findTabPosition({ name }: BackupSection): number {
  const index = tabs.findIndex(({ label }) => label === name);
  return index === -1 ? tabs.length : index;
}

const UNDO_NOTES: Readonly<Record<RestoreScope, string>> = {
  everything: "The current site is backed up first, so you can restore it the same way.",
  section: "The current version stays in the section's history, so you can restore it.",
  picture: "Nothing is replaced. The image is added to your files with its old URL.",
};

function toRestoreRequest({
  scope,
  section,
  pictureId,
}: RestoreChoice): RestoreRequest | undefined {
  if (scope === "everything") return { everything: true };
  if (scope === "section") return section && { section: section.name };
  return pictureId === undefined ? undefined : { picture: pictureId };
}

function getButtonLabel({ scope, section }: RestoreChoice): string {
  if (scope === "everything") return "Restore everything";
  return scope === "section" ? `Restore ${section?.name ?? ""}` : "Restore image";
}

async function runRestore(
  { id }: BackupContent,
  request: RestoreRequest,
  {
    onClose,
    onSiteRestore,
  }: {
    readonly onClose: () => void;
    readonly onSiteRestore: (state: keyof typeof SITE_RESTORE_NOTES) => void;
  },
): Promise<void> {
  const replacedEntities = await restorePart(id, request);
  if ("everything" in request) {
    onSiteRestore("running");
    // After a full restore, all data may differ, so the page is reloaded once the site is up again.
    if (await waitUntilRestored(id)) location.reload();
    else onSiteRestore("late");
    return;
  }
  const label = "section" in request ? request.section : "Image";
  const messages = { success: "Undone", failure: "Couldn't undo" };
  const undo = () => void runWithToast(messages, () => undoRestore(replacedEntities));
  toastSuccess(
    `${label} restored`,
    replacedEntities.length > 0 ? { label: "Undo", onPress: undo } : undefined,
  );
  onClose();
}

interface SectionComparisonProps {
  readonly content: BackupContent;
  readonly section: BackupSection;
}

function SectionComparison({ content, section }: SectionComparisonProps) {
  const { name, changes, counts, picturesInBackup, picturesNow } = section;
  const renderSide = (title: string, side: "backup" | "now", urls: readonly string[]) => (
    <div className="pad well">
      <p className="justify-between cluster small">
        <strong>{title}</strong>
        <span className="quiet">
          {counts.map((each) => `${each[side]} ${each.what}`).join(", ")}
        </span>
      </p>
      {urls.length > 0 && (
        <div className="viewer-strip">
          {urls.slice(0, 4).map((url) => (
            <BackupThumbnail key={url} content={content} url={url} />
          ))}
        </div>
      )}
    </div>
  );
  return (
    <div className="inside-compare stack gap-12 pad">
      <h4 className="small">{name}: backup and now</h4>
      <div className="split">
        {renderSide(formatWeekday(content.createdAt), "backup", picturesInBackup)}
        {renderSide("Now", "now", picturesNow)}
      </div>
      {changes.length === 0 ? (
        <p className="quiet">No changes since this backup.</p>
      ) : (
        <ul className="gap-4 stack quiet small">
          {changes.map((change) => (
            <li key={change} dir="auto">
              {change}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function BackupThumbnail({ content, url }: { content: BackupContent; url: string }) {
  const picture = content.pictures.find((each) => each.url === url);
  if (picture && !picture.isHere) return <Thumbnail content={content} picture={picture} />;
  return <UrlThumbnail url={url} className="viewer-thumbnail well" />;
}

function Thumbnail({ content, picture }: { content: BackupContent; picture: BackupPicture }) {
  const { id, tone, focus, hasSmall } = picture;
  if (!hasSmall) return <span className="viewer-thumbnail well" />;
  const thumbnailUrl = `/api/backups/${encodeURIComponent(content.id)}/pictures/${encodeURIComponent(id)}`;
  return (
    <img
      className="viewer-thumbnail well"
      src={thumbnailUrl}
      style={createFocusStyle(focus)}
      data-tone={tone}
      alt=""
      loading="lazy"
    />
  );
}

function SiteComparison({ content }: { content: BackupContent }) {
  const { sections, submissions, subscriptions, pictures } = content;
  const changedSections = sections
    .filter(({ changes }) => changes.length > 0)
    .map(({ name }) => name);
  const missingCount = pictures.filter(({ isHere }) => !isHere).length;
  return (
    <div className="inside-compare stack gap-12 pad">
      <h4 className="small">Changes since this backup</h4>
      <dl className="viewer-counts gap-4 stack small">
        <ComparisonLine label="Sections" value={changedSections.join(", ") || "none"} />
        <ComparisonLine
          label="Submissions"
          value={`${submissions.backup} in backup, ${submissions.now} now`}
        />
        <ComparisonLine
          label="Subscriptions"
          value={`${subscriptions.backup} in backup, ${subscriptions.now} now`}
        />
        <ComparisonLine label="Images to restore" value={String(missingCount)} />
      </dl>
      <p className="quiet">
        User accounts aren't changed, and people whose data you erased stay erased.
      </p>
    </div>
  );
}

function ComparisonLine({ label, value }: { label: string; value: string }) {
  return (
    <div className="row justify-between gap-16">
      <dt className="quiet">{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
