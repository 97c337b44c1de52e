/** Where backups are kept, and how many of them stay, which an owner can change. */
import Cloud from "lucide-react/icons/cloud";
import HardDrive from "lucide-react/icons/hard-drive";
import { type FormEvent, type ReactNode, useState } from "react";
import type { BackupPlace, BackupsState } from "../../../schema/backups.ts";
import { MOST_KEPT_BACKUPS } from "../../../schema/upkeep.ts";
import { CallFailed } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { keepBackups } from "../data/backups.ts";
import { failureWords, toastSuccess } from "../../ui/messages.ts";
import { fileSize } from "../data/uploads.ts";
import { usePending } from "../data/usePending.ts";
import { Badge, Card } from "../parts/Card.tsx";
import { FieldFrame } from "../parts/FieldFrame.tsx";
import { counted } from "../parts/counted.ts";

export function Kept({ state }: { state: BackupsState }) {
  const { here, away, keep, every } = state;
  const [isChanging, setChanging] = useState(false);
  return (
    <Card
      title="Kept"
      note={`${counted(keep.daily, "day")}, ${counted(keep.weekly, "week")}, ${counted(keep.monthly, "month")}`}
      flush
    >
      <ul className="backups-rows">
        <Row icon={<HardDrive size={18} aria-hidden="true" />}>
          <div>
            <strong>On this machine</strong>
            <span className="quiet">{countWords(here)}</span>
          </div>
          <OnOff isOn={every !== null} />
        </Row>
        <Row icon={<Cloud size={18} aria-hidden="true" />}>
          <div>
            <strong>Away</strong>
            <span className="quiet">
              {away
                ? `${countWords(away)} · ${away.name}, encrypted with your key, which is not on this machine`
                : "If this machine is lost, so are its backups. Whoever runs it can set a place away from it (BACKUP_S3); until then, download one now and then."}
            </span>
          </div>
          <OnOff isOn={away !== null} />
        </Row>
      </ul>
      {isChanging ? (
        <HowMany keep={keep} onClose={() => setChanging(false)} />
      ) : (
        <div className="backups-line">
          <p>{keptWords(state)}</p>
          <Button variant="quiet" size="small" onClick={() => setChanging(true)}>
            Change how many
          </Button>
        </div>
      )}
    </Card>
  );
}

const keptWords = ({ keep: { daily, weekly, monthly } }: BackupsState) =>
  `The newest of each of the last ${counted(daily, "day")}, ${counted(weekly, "week")} and ${counted(monthly, "month")} stay, and all of the last 24 hours.`;

const OnOff = ({ isOn }: { isOn: boolean }) => (
  <Badge tone={isOn ? "ok" : "neutral"}>{isOn ? "On" : "Off"}</Badge>
);

const countWords = ({ count, bytes }: BackupPlace) =>
  count === 0 ? "None yet" : `${counted(count, "backup")}, ${fileSize(bytes)}`;

/** What is no number is sent as none, and refused with words. */
const numberIn = (typed: string) => (typed.trim() === "" ? Number.NaN : Number(typed));

type Keep = BackupsState["keep"];
type Wrong = Partial<Record<keyof Keep, string>>;

const LABELS = { daily: "Days", weekly: "Weeks", monthly: "Months" } as const;
const NAMES = Object.keys(LABELS) as (keyof Keep)[];

/** Three numbers; what goes for it goes with the next backup. */
function HowMany({ keep, onClose }: { keep: Keep; onClose: () => void }) {
  const [typed, setTyped] = useState({
    daily: String(keep.daily),
    weekly: String(keep.weekly),
    monthly: String(keep.monthly),
  });
  const [wrong, setWrong] = useState<Wrong>({});
  const [pending, run] = usePending();
  const save = async () => {
    setWrong({});
    try {
      const { daily, weekly, monthly } = typed;
      await keepBackups({
        daily: numberIn(daily),
        weekly: numberIn(weekly),
        monthly: numberIn(monthly),
      });
      toastSuccess("Saved. It counts from the next backup on.");
      onClose();
    } catch (error) {
      const fields = error instanceof CallFailed ? error.body.fields : undefined;
      setWrong(fields ?? { daily: failureWords(error, "This couldn't be saved.") });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(save);
  };
  return (
    <form className="backups-keep" onSubmit={submit} noValidate>
      {NAMES.map((name) => (
        <FieldFrame key={name} id={`keep-${name}`} label={LABELS[name]} error={wrong[name]}>
          <input
            id={`keep-${name}`}
            type="number"
            inputMode="numeric"
            min={0}
            max={MOST_KEPT_BACKUPS[name]}
            aria-describedby={`keep-${name}-note`}
            aria-invalid={wrong[name] !== undefined || undefined}
            value={typed[name]}
            disabled={pending}
            onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          />
        </FieldFrame>
      ))}
      <p className="quiet">
        The newest backup of each stays, here and away. Those that are more go with the next backup.
      </p>
      <div className="dialog-actions">
        <Button size="small" onClick={onClose} disabled={pending}>
          Cancel
        </Button>
        <Button variant="primary" size="small" type="submit" pending={pending}>
          {pending ? "Saving..." : "Save"}
        </Button>
      </div>
    </form>
  );
}

/** A line of one of the lists. */
export function Row({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li>
      {icon}
      {children}
    </li>
  );
}
