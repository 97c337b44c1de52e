/** Where backups are kept and how many, which an owner can change. */
import { Row, Rows } from "../../../ui/Row.tsx";
import Cloud from "lucide-react/icons/cloud";
import HardDrive from "lucide-react/icons/hard-drive";
import { useState } from "react";
import type { BackupLocation, BackupsState } from "../../../../schema/backups.ts";
import { MOST_KEPT_BACKUPS } from "../../../../schema/upkeep.ts";
import { counted } from "../../../../schema/grouped.ts";
import { Button } from "../../../ui/Button.tsx";
import { Form, Submit, TextField, useForm, useValues } from "../../../ui/Form.tsx";
import { keepBackups } from "./backups.ts";
import { fileSize } from "../../data/uploads.ts";
import { Badge, Card } from "../../parts/Card.tsx";

export function Kept({ state }: { state: BackupsState }) {
  const { here, away, keep, every } = state;
  const [isChanging, setChanging] = useState(false);
  return (
    <Card
      title="Kept"
      note={`${counted(keep.daily, "day")}, ${counted(keep.weekly, "week")}, ${counted(keep.monthly, "month")}`}
      flush
    >
      <Rows>
        <Row
          sign={<HardDrive size={18} aria-hidden="true" />}
          title="On this machine"
          note={describeLocation(here)}
        >
          <OnOff isOn={every !== null} />
        </Row>
        <Row
          sign={<Cloud size={18} aria-hidden="true" />}
          title="Away"
          note={
            away
              ? `${describeLocation(away)} · ${away.name}, encrypted with your key, which is not on this machine`
              : "If this machine is lost, so are its backups. Whoever runs it can set a place away from it (BACKUP_S3); until then, download one now and then."
          }
        >
          <OnOff isOn={away !== null} />
        </Row>
      </Rows>
      {isChanging ? (
        <HowMany keep={keep} onClose={() => setChanging(false)} />
      ) : (
        <div className="backups-line bar wrap ruled quiet small between line">
          <p className="room">{retentionMessage(state)}</p>
          <Button variant="quiet" size="small" onClick={() => setChanging(true)}>
            Change how many
          </Button>
        </div>
      )}
    </Card>
  );
}

const retentionMessage = ({ keep: { daily, weekly, monthly } }: BackupsState) =>
  `The newest of each of the last ${counted(daily, "day")}, ${counted(weekly, "week")} and ${counted(monthly, "month")} stay, and all of the last 24 hours.`;

const OnOff = ({ isOn }: { isOn: boolean }) => (
  <Badge tone={isOn ? "ok" : "neutral"}>{isOn ? "On" : "Off"}</Badge>
);

const describeLocation = ({ count, bytes }: BackupLocation) =>
  count === 0 ? "None yet" : `${counted(count, "backup")}, ${fileSize(bytes)}`;

/** NaN for other text, which is then refused. */
const numberIn = (typed: string) => (typed.trim() === "" ? Number.NaN : Number(typed));

const LABELS = { daily: "Days", weekly: "Weeks", monthly: "Months" } as const;
const NAMES = Object.keys(LABELS) as (keyof typeof LABELS)[];

/** Three numbers; surplus backups are removed with the next one. */
function HowMany({ keep, onClose }: { keep: BackupsState["keep"]; onClose: () => void }) {
  const typed = useValues({
    daily: String(keep.daily),
    weekly: String(keep.weekly),
    monthly: String(keep.monthly),
  });
  const form = useForm(typed, {
    save: async ({ daily, weekly, monthly }) => {
      await keepBackups({
        daily: numberIn(daily),
        weekly: numberIn(weekly),
        monthly: numberIn(monthly),
      });
      onClose();
    },
    success: "Saved. It counts from the next backup on.",
    failure: "This couldn't be saved.",
    failsAt: "daily",
  });
  return (
    <Form of={form} className="backups-keep pad ruled">
      {NAMES.map((name) => (
        <TextField
          key={name}
          name={name}
          label={LABELS[name]}
          type="number"
          inputMode="numeric"
          min={0}
          max={MOST_KEPT_BACKUPS[name]}
        />
      ))}
      <p className="quiet">
        The newest backup of each stays, here and away. Those that are more go with the next backup.
      </p>
      <div className="dialog-actions">
        <Button size="small" onClick={onClose} disabled={form.pending}>
          Cancel
        </Button>
        <Submit size="small" pendingLabel="Saving...">
          Save
        </Submit>
      </div>
    </Form>
  );
}
