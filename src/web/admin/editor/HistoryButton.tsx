/** Earlier states of a section: when, how it looked, and the way back (design.md section 6). */
import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useState } from "react";
import { entities, type EntityKey } from "../../../schema/index.ts";
import { call } from "../../api.ts";
import type { PageContent } from "../../content.ts";
import type { PreviewName } from "../../sectionPreviews.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { LoadFailed } from "../parts/LoadFailed.tsx";
import { Loading } from "../parts/Loading.tsx";
import { when } from "../parts/when.ts";
import { withSession } from "../queries/session.ts";
import { restoreRevision } from "./restoreRevision.ts";
import { SectionFrame } from "./SectionFrame.tsx";

/** `<HistoryButton entity="hero" section="hero" content={{}} />` */
export interface HistoryButtonProps {
  readonly entity: EntityKey;
  /** The section that shows it, and what else that section reads; no picture without. */
  readonly section?: PreviewName;
  readonly content?: PageContent;
  readonly fullScreen?: boolean;
}

interface Revision {
  readonly revision: number;
  readonly savedAt: string;
}

/** Renders the button and its dialog. */
export function HistoryButton(props: HistoryButtonProps) {
  const [open, setOpen] = useState(false);
  const { label } = entities[props.entity];
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <History size={16} aria-hidden="true" /> History
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Earlier versions of ${label}`}
        size="large"
      >
        <Revisions {...props} onRestored={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function Revisions(props: HistoryButtonProps & { onRestored: () => void }) {
  const { name } = entities[props.entity];
  const { data, error, refetch } = useQuery({
    queryKey: ["history", props.entity],
    queryFn: () => withSession(() => call<Revision[]>(`/api/history/${name}`)),
  });
  const [chosen, choose] = useState<number>();
  if (error) return <LoadFailed what="the earlier versions" onRetry={() => void refetch()} />;
  if (!data) return <Loading words="Loading earlier versions..." />;
  if (data.length === 0)
    return (
      <p className="quiet">There are no earlier versions yet. Each save keeps the one before.</p>
    );
  const shown = chosen ?? data[0]!.revision;
  return (
    <div className="history">
      <ul className="history-list">
        {data.map(({ revision, savedAt }) => (
          <li key={revision}>
            <button
              type="button"
              aria-pressed={revision === shown}
              onClick={() => choose(revision)}
            >
              {when(savedAt)}
            </button>
          </li>
        ))}
      </ul>
      <EarlierState key={shown} {...props} revision={shown} />
    </div>
  );
}

interface EarlierStateProps extends HistoryButtonProps {
  readonly revision: number;
  readonly onRestored: () => void;
}

function EarlierState(props: EarlierStateProps) {
  const { entity, section, content = {}, fullScreen = false, revision, onRestored } = props;
  const { name } = entities[entity];
  const { data, error, refetch } = useQuery({
    queryKey: ["history", entity, revision],
    queryFn: () => withSession(() => call(`/api/history/${name}/${revision}`)),
  });
  const [pending, setPending] = useState(false);
  if (error) return <LoadFailed what="this version" onRetry={() => void refetch()} />;
  if (!data) return <Loading words="Loading this version..." />;
  const restore = async () => {
    setPending(true);
    if (await restoreRevision(entity, revision)) onRestored();
    setPending(false);
  };
  return (
    <div className="history-state">
      {section && (
        <SectionFrame
          section={section}
          content={{ ...content, [entity]: data }}
          device="desktop"
          fullScreen={fullScreen}
          captioned={false}
        />
      )}
      <Button variant="primary" pending={pending} onClick={() => void restore()}>
        Restore this version
      </Button>
    </div>
  );
}
