/** Shows where backups are stored, and lets an owner change how many are kept. */
import { Row, Rows } from "../../../ui/Row.tsx";
import Cloud from "lucide-react/icons/cloud";
import HardDrive from "lucide-react/icons/hard-drive";
import { useState } from "react";
import type { BackupLocation, BackupsState } from "../../../../schema/api/backups.ts";
import { MAX_RETAINED_BACKUPS } from "../../../../schema/people/siteMaintenance.ts";
import { formatCount } from "../../../../schema/core/formatNumber.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../../ui/Form.tsx";
import { saveRetention } from "./useBackups.tsx";
import { formatFileSize } from "../../data/uploads.ts";
import { Badge, Card } from "../../parts/Card.tsx";

export function RetentionSettings({ state }: { state: BackupsState }) {
  const { here, away, keep, every } = state;
  const [isEditing, setIsEditing] = useState(false);
  return (
    <Card
      title="Backups to keep"
      note={`${formatCount(keep.daily, "day")}, ${formatCount(keep.weekly, "week")}, ${formatCount(keep.monthly, "month")}`}
      isFlush
    >
      <Rows>
        <Row
          icon={<HardDrive size={18} aria-hidden="true" />}
          title="On this server"
          note={describeLocation(here)}
        >
          <OnOffLabel isOn={every !== null} />
        </Row>
        <Row
          icon={<Cloud size={18} aria-hidden="true" />}
          title="Off-site"
          note={
            away
              ? `${describeLocation(away)} · ${away.name}, encrypted with your key, which isn't stored on this server`
              : "If this server fails, its backups are lost too. Your server administrator can set up off-site storage (BACKUP_S3). Until then, download a backup regularly."
          }
        >
          <OnOffLabel isOn={away !== null} />
        </Row>
      </Rows>
      {isEditing ? (
        <RetentionForm retention={keep} onClose={() => setIsEditing(false)} />
      ) : (
        <div className="card-row cluster border-top quiet small justify-between row">
          <p className="grow">{describeRetention(state)}</p>
          <Button variant="quiet" size="small" onClick={() => setIsEditing(true)}>
            Change
          </Button>
        </div>
      )}
    </Card>
  );
}

const describeRetention = ({ keep: { daily, weekly, monthly } }: BackupsState) =>
  `We keep every backup from the last 24 hours, then one per day for ${formatCount(daily, "day")}, one per week for ${formatCount(weekly, "week")} and one per month for ${formatCount(monthly, "month")}.`;

const OnOffLabel = ({ isOn }: { isOn: boolean }) => (
  <Badge tone={isOn ? "ok" : "neutral"}>{isOn ? "On" : "Off"}</Badge>
);

const describeLocation = ({ count, bytes }: BackupLocation) =>
  count === 0 ? "None yet" : `${formatCount(count, "backup")}, ${formatFileSize(bytes)}`;

/** Returns NaN for text that isn't a number. In JSON, NaN becomes null, which the server refuses. */
const parseCount = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

const PERIOD_LABELS = { daily: "Days", weekly: "Weeks", monthly: "Months" } as const;
const PERIODS = Object.keys(PERIOD_LABELS) as (keyof typeof PERIOD_LABELS)[];

function RetentionForm({
  retention,
  onClose,
}: {
  retention: BackupsState["keep"];
  onClose: () => void;
}) {
  const formValues = useFormValues({
    daily: String(retention.daily),
    weekly: String(retention.weekly),
    monthly: String(retention.monthly),
  });
  const form = useForm(formValues, {
    save: async ({ daily, weekly, monthly }) => {
      await saveRetention({
        daily: parseCount(daily),
        weekly: parseCount(weekly),
        monthly: parseCount(monthly),
      });
      onClose();
    },
    success: "Saved. Applies from the next backup.",
    failure: "Couldn't save the number of backups",
    failureField: "daily",
  });
  return (
    <Form form={form} className="backups-retention pad border-top">
      {PERIODS.map((name) => (
        <TextField
          key={name}
          name={name}
          label={PERIOD_LABELS[name]}
          type="number"
          inputMode="numeric"
          min={0}
          max={MAX_RETAINED_BACKUPS[name]}
        />
      ))}
      <p className="quiet">
        The latest backup of each day, week and month is kept, on this server and off-site. Backups
        beyond these numbers are deleted when the next backup is created.
      </p>
      <div className="actions">
        <Button size="small" onClick={onClose} disabled={form.isPending}>
          Cancel
        </Button>
        <SubmitButton size="small" pendingLabel="Saving...">
          Save
        </SubmitButton>
      </div>
    </Form>
  );
}
