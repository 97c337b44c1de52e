/** In the account menu: when the last backup was made, or that one is missing. */
import { useBackups } from "./backups.ts";
import { Badge } from "../../parts/Card.tsx";
import { formatRelativeDateTimeInSentence } from "../../../shared/formatTimes.ts";

export function LastBackupNote() {
  const { value: state } = useBackups();
  if (!state) return null;
  if (state.warning) return <Badge tone="warn">check</Badge>;
  return (
    state.here.lastAt && (
      <span className="quiet note">{formatRelativeDateTimeInSentence(state.here.lastAt)}</span>
    )
  );
}
