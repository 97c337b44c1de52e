/** A section's earlier versions: a list, a preview, and Restore. */
import { useState } from "react";
import { entities, type EntityKey } from "../../../schema/index.ts";
import type { PageContent } from "../../shared/content.ts";
import type { PreviewName } from "../../previews/sectionPreviews.ts";
import { Button } from "../../ui/Button.tsx";
import { api } from "../data/client.ts";
import { createResource, useResource } from "../data/resource.ts";
import { toastFailure, toastSuccess } from "../../ui/messages.ts";
import { writeToEntity } from "../data/writes.ts";
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
  /** The section that previews the versions, and the content it needs. Default: no preview. */
  readonly section?: PreviewName;
  readonly content?: PageContent;
  readonly isFullScreen?: boolean;
}

export interface RevisionsProps extends PreviewedEntity {
  readonly onRestored: () => void;
}

/** The current version comes first. `changes` describes the save that made the version. */
interface EntityRevision {
  readonly revision: number;
  readonly savedAt: string;
  readonly current: boolean;
  readonly changes: readonly string[];
}

export function Revisions(props: RevisionsProps) {
  useStylesheet(css);
  const path = getHistoryPath(props.entity);
  const read = useResource(
    createResource<EntityRevision[]>(path, { isCached: true, key: ["history", props.entity] }),
  );
  const [chosen, choose] = useState<number>();
  return (
    <AsyncContent
      state={read}
      subject="the earlier versions"
      loadingMessage="Loading earlier versions..."
    >
      {([now, ...earlier]) => {
        const shown = chosen ?? earlier[0]?.revision;
        if (!now || shown === undefined) return <p className="quiet">{NO_REVISIONS_MESSAGE}</p>;
        return (
          <div className="revisions split gap-16">
            <ul className="history-list">
              <li className="history-current title-note small">
                <strong>
                  Current version, saved {formatRelativeDateTimeInSentence(now.savedAt)}
                </strong>
                <RevisionChanges revision={now} />
              </li>
              {earlier.map((each) => (
                <li key={each.revision}>
                  <button
                    type="button"
                    className="menu-item title-note full-width small"
                    aria-pressed={each.revision === shown}
                    onClick={() => choose(each.revision)}
                  >
                    {formatRelativeDateTime(each.savedAt)}
                    <RevisionChanges revision={each} />
                  </button>
                </li>
              ))}
            </ul>
            <RevisionPreview key={shown} {...props} revision={shown} />
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
  const read = useResource(
    createResource<unknown>(path, { isCached: true, key: ["history", entity, revision] }),
  );
  const [isPending, restore] = useAction(async () => {
    if (await restoreRevision(entity, revision)) onRestored();
  });
  const wide = useIsWide();
  const preview = (value: unknown) => {
    if (Array.isArray(value) && value.length === 0)
      return <p className="quiet">This list was empty in that version.</p>;
    if (!section) return null;
    return (
      <PreviewFrame
        section={section}
        content={{ ...content, [entity]: value }}
        device={wide ? "desktop" : "phone"}
        isFullScreen={isFullScreen}
        hasCaption={false}
      />
    );
  };
  return (
    <AsyncContent state={read} subject="this version">
      {(value) => (
        <div className="history-state stack gap-12">
          <Button variant="primary" isPending={isPending} onClick={restore}>
            Restore this version
          </Button>
          {preview(value)}
        </div>
      )}
    </AsyncContent>
  );
}

const getHistoryPath = (entity: EntityKey) => `/api/history/${entities[entity].name}`;

/** Restores a version and offers Undo. Resolves to whether the version was restored. */
async function restoreRevision(entity: EntityKey, revision: number): Promise<boolean> {
  const path = getHistoryPath(entity);
  try {
    await writeToEntity(entity, `${path}/${revision}/restore`, { method: "POST", body: {} });
    const before = await findPreviousRevision(path);
    const undo = before !== undefined && {
      label: "Undo",
      onPress: () => void restoreRevision(entity, before),
    };
    toastSuccess("Earlier version restored", undo || undefined);
    return true;
  } catch (error) {
    toastFailure(error, "Couldn't restore the earlier version");
    return false;
  }
}

/** After a restore, the version before it is the newest earlier one. */
async function findPreviousRevision(path: string): Promise<number | undefined> {
  const versions = await api.get<EntityRevision[]>(path);
  return versions.find(({ current }) => !current)?.revision;
}
