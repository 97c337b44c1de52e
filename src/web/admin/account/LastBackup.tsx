/** At the end of its line in the account menu: when the last backup was made, or that one is missing. */
import { useBackups } from "../data/backups.ts";
import { Badge } from "../parts/Card.tsx";
import { whenInside } from "../parts/when.ts";

export function LastBackup() {
  const { data } = useBackups();
  if (!data) return null;
  if (data.warning) return <Badge tone="warn">look</Badge>;
  return data.here.lastAt && <span className="menu-note">{whenInside(data.here.lastAt)}</span>;
}
