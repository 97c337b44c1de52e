/** The Backups screen: the state of the backups, the backups to restore, and where backups are stored. */
import { Row, Rows } from "../../../ui/Row.tsx";
import Archive from "lucide-react/icons/archive";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleX from "lucide-react/icons/circle-x";
import Download from "lucide-react/icons/download";
import ShieldCheck from "lucide-react/icons/shield-check";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { useEffect, useRef, useState } from "react";
import type { BackupsState, BackupSummary } from "../../../../schema/api/backups.ts";
import { Button } from "../../../ui/Button.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { startBackupJob, describeDifferences, useBackups } from "./useBackups.tsx";
import { announce } from "../../../ui/messages.ts";
import { downloadAfterConfirming } from "../../data/confirmedDownload.ts";
import { refetchPaths } from "../../data/apiQuery.ts";
import { formatFileSize } from "../../data/uploads.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import {
  formatRelativeDateTime,
  formatRelativeDateTimeInSentence,
} from "../../../shared/formatTimes.ts";
import { createLazyComponent } from "../../parts/lazyComponent.tsx";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import css from "./Backups.css" with { type: "text" };
import { RetentionSettings } from "./RetentionSettings.tsx";
import type { BackupViewerProps } from "./BackupViewer.tsx";

const LazyBackupViewer = createLazyComponent<BackupViewerProps>({
  subject: "this backup",
  loadCode: async () => (await import("./BackupViewer.tsx")).BackupViewer,
});

export function Backups() {
  useStylesheet(css);
  const backupsQuery = useBackups();
  useJobAnnouncement(backupsQuery.value);
  const [openedBackup, setOpenedBackup] = useState<BackupSummary>();
  return (
    <AsyncContent state={backupsQuery} subject="the backups" loadingMessage="Loading backups...">
      {(state) =>
        openedBackup ? (
          <LazyBackupViewer backup={openedBackup} onClose={() => setOpenedBackup(undefined)} />
        ) : (
          <>
            <BackupStatus state={state} />
            {state.backups.length > 0 && <BackupList state={state} onOpen={setOpenedBackup} />}
            <RetentionSettings state={state} />
          </>
        )
      }
    </AsyncContent>
  );
}

function useJobAnnouncement(state: BackupsState | undefined): void {
  const previousJobRef = useRef<BackupsState["underWay"]>(null);
  useEffect(() => {
    if (!state) return;
    const finishedJob =
      previousJobRef.current !== null && state.underWay === null ? previousJobRef.current : null;
    previousJobRef.current = state.underWay;
    if (finishedJob === null) return;
    void refetchPaths("/api/notices");
    const failure =
      finishedJob === "rehearsal" ? findRestoreTestFailure(state) : findFailureMessage(state);
    announce(failure ?? (finishedJob === "backup" ? "Backup created." : "Restore test passed."));
  }, [state]);
}

const findRestoreTestFailure = ({ rehearsal }: BackupsState) =>
  rehearsal?.ok === false ? rehearsal.message : undefined;

const findFailureMessage = ({ here, away }: BackupsState) =>
  here.failure?.message ?? away?.failure?.message;

function BackupStatus({ state }: { state: BackupsState }) {
  const { warning, underWay, here } = state;
  const [, backUp] = useAction(() => startBackupJob("backup"), {
    failure: "Couldn't start the backup",
  });
  const [, runRestoreTest] = useAction(() => startBackupJob("rehearsal"), {
    failure: "Couldn't start the restore test",
  });
  const { tone, Icon, title } = describeStatus(state);
  return (
    <section className="card" aria-labelledby="backups-safety">
      <div className="backups-safety pad cluster row gap-12">
        <Icon className={tone ? undefined : "quiet"} data-tone={tone} aria-hidden="true" />
        <div className="grow">
          <h3 id="backups-safety">{title}</h3>
          {warning && (
            <p className="backups-why small" data-tone="warn">
              {warning.message}
            </p>
          )}
          <p className="quiet small">{describeLastBackup(state)}</p>
          {warning === null && <RecentFailures state={state} />}
        </div>
        <Button
          variant="primary"
          isPending={underWay === "backup"}
          disabled={underWay === "rehearsal"}
          onClick={backUp}
        >
          {underWay === "backup" ? "Backing up..." : "Back up now"}
        </Button>
      </div>
      {here.lastAt !== null && (
        <div className="card-row cluster border-top quiet small justify-between row backups-rehearsal">
          <RestoreTestLine state={state} />
          <Button
            variant="quiet"
            size="small"
            isPending={underWay === "rehearsal"}
            disabled={underWay === "backup"}
            onClick={runRestoreTest}
          >
            {underWay === "rehearsal" ? "Testing..." : "Run restore test"}
          </Button>
        </div>
      )}
    </section>
  );
}

function describeStatus({ warning, here, every }: BackupsState) {
  if (warning) return { tone: "warn", Icon: TriangleAlert, title: warning.title };
  if (here.lastAt !== null)
    return { tone: "ok", Icon: ShieldCheck, title: "Your site is backed up" };
  return every === null
    ? { tone: "warn", Icon: TriangleAlert, title: "Automatic backups are off" }
    : { tone: undefined, Icon: Archive, title: "No backup yet" };
}

function describeLastBackup({ backups, here, away, every, nextAt }: BackupsState): string {
  const newest = backups.find(({ isHere }) => isHere);
  if (here.lastAt === null || !newest) {
    if (every === null)
      return "Automatic backups are turned off on the server. You can create one here.";
    const start = nextAt === null ? "in a few minutes" : formatRelativeDateTimeInSentence(nextAt);
    return `The first backup starts ${start}. Each backup contains the whole site: content, images, submissions and accounts.`;
  }
  const locations =
    away?.lastAt === here.lastAt
      ? "verified, on this server and off-site"
      : "verified, on this server only";
  return `Last backup ${formatRelativeDateTimeInSentence(here.lastAt)} · ${formatFileSize(newest.size)} · ${locations}`;
}

function RecentFailures({ state: { here, away, every } }: { state: BackupsState }) {
  const failures = [here.failure, away?.failure].filter((each) => each != null);
  const outlook = every === null ? "" : " We'll try again automatically.";
  return failures.map(({ at, message }) => (
    <p key={message} className="backups-why small" data-tone="warn">
      {`The last backup failed (${formatRelativeDateTimeInSentence(at)}): ${message}${outlook}`}
    </p>
  ));
}

function RestoreTestLine({ state: { rehearsal, nextRehearsalAt } }: { state: BackupsState }) {
  if (!rehearsal)
    return (
      <p className="grow">
        A restore test starts a copy of your site from the latest backup, then deletes the copy.
      </p>
    );
  const { ok, at, message } = rehearsal;
  return (
    <p className="row align-start grow">
      {ok ? (
        <CircleCheck size={16} data-tone="ok" aria-hidden="true" />
      ) : (
        <CircleX size={16} data-tone="bad" aria-hidden="true" />
      )}
      <span>
        {`Restore test ${formatRelativeDateTimeInSentence(at)}: `}
        {ok ? "the latest backup can be restored." : message}
        {nextRehearsalAt && ` Next test ${formatRelativeDateTimeInSentence(nextRehearsalAt)}.`}
      </span>
    </p>
  );
}

interface BackupListProps {
  readonly state: BackupsState;
  readonly onOpen: (backup: BackupSummary) => void;
}

function BackupList({ state: { backups, gaveWay }, onOpen }: BackupListProps) {
  return (
    <Card title="Restore from" note="newest first" isFlush>
      <Rows>
        {backups.map((backup) => (
          <BackupRow key={backup.id} backup={backup} onOpen={() => onOpen(backup)} />
        ))}
      </Rows>
      {gaveWay && <p className="pad border-top quiet small">{describeRemovedBackups(gaveWay)}</p>}
    </Card>
  );
}

function describeRemovedBackups({ count, at }: NonNullable<BackupsState["gaveWay"]>): string {
  const subject = count === 1 ? "An older backup was" : `${count} older backups were`;
  return `${subject} deleted ${formatRelativeDateTimeInSentence(at)} because the disk is almost full.`;
}

function BackupRow({ backup, onOpen }: { backup: BackupSummary; onOpen: () => void }) {
  const { id, createdAt, size, isHere, isAway, isGood, differs, remarks } = backup;
  const name = formatRelativeDateTime(createdAt);
  const locations =
    isHere && isAway ? "on this server and off-site" : isHere ? "on this server" : "off-site";
  const [, download] = useAction(() => downloadAfterConfirming(`/api/backups/${id}`), {
    failure: "Couldn't download the backup",
  });
  return (
    <Row
      icon={<Archive size={18} aria-hidden="true" />}
      title={name}
      note={
        <>
          {formatFileSize(size)}
          <span className="phone-only">{` · ${locations}`}</span>
          {differs && ` · ${describeDifferences(differs)}`}
        </>
      }
      details={
        <>
          {!isGood && (
            <span className="backups-why small" data-tone="warn">
              This backup is damaged and can't be restored.
            </span>
          )}
          {remarks.map((remark) => (
            <span key={remark} className="backups-why small" data-tone="warn">
              {remark}
            </span>
          ))}
        </>
      }
    >
      <span className="desktop-only">
        <Badge>{locations}</Badge>
      </span>
      {isHere && (
        <Button
          size="small"
          aria-label={`View backup from ${formatRelativeDateTimeInSentence(createdAt)}`}
          onClick={onOpen}
        >
          View
        </Button>
      )}
      {isHere && (
        <IconButton
          icon={Download}
          label={`Download backup from ${formatRelativeDateTimeInSentence(createdAt)}`}
          onClick={download}
        />
      )}
    </Row>
  );
}
