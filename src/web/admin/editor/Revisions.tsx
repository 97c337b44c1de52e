/** The earlier versions of a section's content: a list, a preview, and Restore. */
import { useState } from "react";
import { entities, type EntityKey } from "../../../schema/index.ts";
import type { PageContent } from "../../shared/content.ts";
import type { PreviewName } from "../../previews/sectionPreviews.ts";
import { Button } from "../../ui/Button.tsx";
import { api } from "../data/client.ts";
import { createApiQuery, useApiQuery } from "../data/apiQuery.ts";
import { toastFailure, toastSuccess } from "../../ui/messages.ts";
import { writeToEntity } from "../data/entityWrites.ts";
import { useStylesheet } from "../parts/useStylesheet.ts";
import {
  formatRelativeDateTime,
  formatRelativeDateTimeInSentence,
} from "../../shared/formatTimes.ts";
import { AsyncContent } from "../../ui/AsyncContent.tsx";
import { useAction } from "../../ui/useAction.ts";
import css from "./Revisions.css" with { type: "text" };
import { PreviewFrame } from "./PreviewFrame.tsx";
import { useIsWide } from "../parts/widths.ts";

export interface PreviewedEntity {
  readonly entity: EntityKey;
  /** Previews a version in this section. Default: no preview. */
  readonly section?: PreviewName;
  readonly content?: PageContent;
  readonly isFullScreen?: boolean;
}

export interface RevisionsProps extends PreviewedEntity {
  readonly onRestored: () => void;
}

/** `changes` describes the save that created the version. */
interface EntityRevision {
  readonly revision: number;
  readonly savedAt: string;
  readonly current: boolean;
  readonly changes: readonly string[];
}

export function Revisions(props: RevisionsProps) {
  useStylesheet(css);
  const path = getHistoryPath(props.entity);
  const historyQuery = useApiQuery(createApiQuery<EntityRevision[]>(path, { isCached: true }));
  const [chosenRevision, setChosenRevision] = useState<number>();
  return (
    <AsyncContent
      state={historyQuery}
      subject="the earlier versions"
      loadingMessage="Loading earlier versions..."
    >
      {([current, ...earlier]) => {
        const shownRevision = chosenRevision ?? earlier[0]?.revision;
        if (!current || shownRevision === undefined)
          return <p className="quiet">{NO_REVISIONS_MESSAGE}</p>;
        return (
          <div className="revisions split gap-16">
            <ul className="history-list">
              <li className="history-current title-note small">
                <strong>
                  Current version, saved {formatRelativeDateTimeInSentence(current.savedAt)}
                </strong>
                <RevisionChanges revision={current} />
              </li>
              {earlier.map((each) => (
                <li key={each.revision}>
                  <button
                    type="button"
                    className="menu-item title-note full-width small"
                    aria-pressed={each.revision === shownRevision}
                    onClick={() => setChosenRevision(each.revision)}
                  >
                    {formatRelativeDateTime(each.savedAt)}
                    <RevisionChanges revision={each} />
                  </button>
                </li>
              ))}
            </ul>
            <RevisionPreview key={shownRevision} {...props} revision={shownRevision} />
          </div>
        );
      }}
    </AsyncContent>
  );
}

const NO_REVISIONS_MESSAGE = "No earlier versions yet. Each save keeps the previous version.";

function RevisionChanges({ revision: { changes } }: { revision: EntityRevision }) {
  return changes.map((line) => (
    <span key={line} className="faint note" dir="auto">
      {line}
    </span>
  ));
}

interface RevisionPreviewProps extends PreviewedEntity {
  readonly revision: number;
  readonly onRestored: () => void;
}

function RevisionPreview(props: RevisionPreviewProps) {
  const { entity, section, content = {}, isFullScreen = false, revision, onRestored } = props;
  const path = `${getHistoryPath(entity)}/${revision}`;
  const versionQuery = useApiQuery(createApiQuery<unknown>(path, { isCached: true }));
  const [isPending, restore] = useAction(async () => {
    if (await restoreRevision(entity, revision)) onRestored();
  });
  const isWide = useIsWide();
  const renderPreview = (value: unknown) => {
    if (Array.isArray(value) && value.length === 0)
      return <p className="quiet">This list was empty in that version.</p>;
    if (!section) return null;
    return (
      <PreviewFrame
        section={section}
        content={{ ...content, [entity]: value }}
        device={isWide ? "desktop" : "phone"}
        isFullScreen={isFullScreen}
        hasCaption={false}
      />
    );
  };
  return (
    <AsyncContent state={versionQuery} subject="this version">
      {(value) => (
        <div className="history-state stack gap-12">
          <Button variant="primary" isPending={isPending} onClick={restore}>
            Restore this version
          </Button>
          {renderPreview(value)}
        </div>
      )}
    </AsyncContent>
  );
}

const getHistoryPath = (entity: EntityKey) => `/api/history/${entities[entity].name}`;

/** Restores a version and offers Undo. Resolves to whether this succeeded. */
async function restoreRevision(entity: EntityKey, revision: number): Promise<boolean> {
  const path = getHistoryPath(entity);
  try {
    await writeToEntity(entity, `${path}/${revision}/restore`, { method: "POST", body: {} });
    const previousRevision = await findPreviousRevision(path);
    const undo = previousRevision !== undefined && {
      label: "Undo",
      onPress: () => void restoreRevision(entity, previousRevision),
    };
    toastSuccess("Earlier version restored", undo || undefined);
    return true;
  } catch (error) {
    toastFailure(error, "Couldn't restore the earlier version");
    return false;
  }
}

/** Returns the version that a restore replaced: the newest one that isn't current. */
async function findPreviousRevision(path: string): Promise<number | undefined> {
  const versions = await api.get<EntityRevision[]>(path);
  return versions.find(({ current }) => !current)?.revision;
}
