/** The sender domain's three DNS records, with what to set. */
import CircleCheck from "lucide-react/icons/circle-check";
import RotateCw from "lucide-react/icons/rotate-cw";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { DomainRecord } from "../../../../schema/mailAnswers.ts";
import { Button } from "../../../ui/Button.tsx";
import { lookUpDomain, useDomain } from "./mail.ts";
import { toastFailure } from "../../../ui/messages.ts";
import { Card } from "../../parts/Card.tsx";
import { Copied } from "../../../ui/Copied.tsx";
import { Read } from "../../../ui/Read.tsx";

export function MailDomain({ address }: { address: string }) {
  const domain = address.split("@")[1] ?? "";
  const read = useDomain();
  return (
    <Card
      title="Your domain"
      note={domain}
      flush
      actions={
        <Button size="small" pending={read.isReading} onClick={lookAgain}>
          <RotateCw size={16} aria-hidden="true" /> Look again
        </Button>
      }
    >
      <p className="pad quiet small">
        Three records tell mailboxes that messages from {domain} are really yours. Copy each to the
        place where you bought the domain. It can take an hour until it is seen.
      </p>
      <Read of={read} what="your domain's records" loadingMessage="Looking it up..." rows={3}>
        {(records) => records.map((record) => <RecordRow key={record.name} record={record} />)}
      </Read>
    </Card>
  );
}

const lookAgain = () =>
  void lookUpDomain().catch((error: unknown) =>
    toastFailure(error, "The records couldn't be looked up. Check your connection."),
  );

const STATES: Readonly<Record<DomainRecord["state"], string>> = {
  found: "Found",
  missing: "Not there yet",
  different: "Different from what is needed",
  unknown: "To be checked by you",
};

function RecordRow({ record }: { record: DomainRecord }) {
  const { name, what, state, host, value, advice } = record;
  const isFound = state === "found";
  const Sign = isFound ? CircleCheck : TriangleAlert;
  return (
    <section className="mail-record pad split ruled" aria-label={name}>
      <h4>{name}</h4>
      <div>
        <p>
          <Sign size={16} className={isFound ? "ok" : "warn"} aria-hidden="true" /> {STATES[state]}
          <span className="quiet small"> · {what}</span>
        </p>
        {!isFound && <p className="quiet small">{advice}</p>}
        {!isFound && value !== null && (
          <>
            <Copied what={`Name of ${name}`} text={host} />
            <Copied what={`Value of ${name}`} text={value} />
          </>
        )}
      </div>
    </section>
  );
}
