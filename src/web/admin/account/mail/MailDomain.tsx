/** The sender domain's three DNS records, with what to set. */
import CircleCheck from "lucide-react/icons/circle-check";
import RotateCw from "lucide-react/icons/rotate-cw";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { DomainRecord } from "../../../../schema/api/mailResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { checkDomain, useDomainRecords } from "./mail.ts";
import { toastFailure } from "../../../ui/messages.ts";
import { Card } from "../../parts/Card.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";

export function MailDomain({ address }: { address: string }) {
  const domain = address.split("@")[1] ?? "";
  const read = useDomainRecords();
  return (
    <Card
      title="Your domain"
      note={domain}
      isFlush
      actions={
        <Button size="small" pending={read.isReading} onClick={recheckDomain}>
          <RotateCw size={16} aria-hidden="true" /> Check again
        </Button>
      }
    >
      <p className="pad quiet small">
        These three DNS records prove that email from {domain} is really from you. Add each one
        where you bought the domain. Changes can take up to an hour to take effect.
      </p>
      <AsyncContent
        of={read}
        subject="your domain's records"
        loadingMessage="Checking DNS records..."
        rows={3}
      >
        {(records) => records.map((record) => <RecordRow key={record.name} record={record} />)}
      </AsyncContent>
    </Card>
  );
}

const recheckDomain = () =>
  void checkDomain().catch((error: unknown) =>
    toastFailure(error, "Couldn't check the records. Check your connection and try again."),
  );

const STATE_LABELS: Readonly<Record<DomainRecord["state"], string>> = {
  found: "Found",
  missing: "Not found yet",
  different: "Doesn't match",
  unknown: "Check this yourself",
};

function RecordRow({ record }: { record: DomainRecord }) {
  const { name, what, state, host, value, advice } = record;
  const isPresent = state === "found";
  const Sign = isPresent ? CircleCheck : TriangleAlert;
  return (
    <section className="mail-record pad split border-top" aria-label={name}>
      <h4>{name}</h4>
      <div className="stack gap-4">
        <p>
          <Sign size={16} data-tone={isPresent ? "ok" : "warn"} aria-hidden="true" />{" "}
          {STATE_LABELS[state]}
          <span className="quiet small"> · {what}</span>
        </p>
        {!isPresent && <p className="quiet small">{advice}</p>}
        {!isPresent && value !== null && (
          <>
            <CopyButton subject={`${name} name`} text={host} />
            <CopyButton subject={`${name} value`} text={value} />
          </>
        )}
      </div>
    </section>
  );
}
