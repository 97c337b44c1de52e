/** The Email tab: the mailing list with search, export and delete, and a person's data. */
import MailOpen from "lucide-react/icons/mail-open";
import Trash2 from "lucide-react/icons/trash";
import { type ComponentProps, useState } from "react";
import { formatNumber } from "../../../schema/core/formatNumber.ts";
import type { Item } from "../../../schema/index.ts";
import { SUBSCRIPTION_STATUSES } from "../../../schema/enquiry/visitors.ts";
import { csvFile, subscriptionsFileName, subscriptionsTable } from "../data/csv.ts";
import { deleteWithUndo } from "../data/listWrites.ts";
import { pathOf } from "../data/useEntity.ts";
import { usePages } from "../data/usePagedList.ts";
import { ExportButton, ExportProgress } from "../editor/ExportButton.tsx";
import { RecordList } from "../editor/RecordList.tsx";
import { listedDateOf } from "../../shared/when.ts";
import { SearchField } from "../../ui/SearchField.tsx";
import { Badge, Card, TabHead } from "../parts/Card.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { lazyPart } from "../parts/LazyPart.tsx";
import { Subtabs } from "../parts/Subtabs.tsx";
import { useSheet } from "../parts/useSheet.ts";
import { Read } from "../../ui/Read.tsx";
import css from "./EmailTab.css" with { type: "text" };
import { PersonCard } from "./PersonCard.tsx";

type Subscription = Item<"emailSubscriptions">;

export function EmailTab() {
  useSheet(css);
  return (
    <>
      <TabHead title="Email" note="The people who signed up to hear from you." />
      <Subtabs
        label="Email"
        tabs={[
          { key: "subscribers", label: "Subscribers", panel: <Subscribers /> },
          { key: "letters", label: "Newsletters", panel: <Letters /> },
        ]}
      />
    </>
  );
}

/** The subscribers' list doesn't need its code. */
const Letters = lazyPart({
  subject: "the newsletters",
  code: async () => (await import("./letters/Letters.tsx")).Letters,
});

function Subscribers() {
  return (
    <div className="stack gap-16">
      <SubscriptionsCard />
      <PersonCard />
    </div>
  );
}

const PATH = pathOf("emailSubscriptions");

function SubscriptionsCard() {
  const [search, setSearch] = useState("");
  const all = usePages<Subscription>("emailSubscriptions", PATH);
  const matches = usePages<Subscription>("emailSubscriptions", PATH, { search });
  return (
    <Card
      title="Email Subscriptions"
      note={all.total !== undefined && <Badge>{formatNumber(all.total)} in total</Badge>}
      flush
      actions={
        <ExportButton
          path={PATH}
          plural="subscriptions"
          file={(separator) => csvFile(subscriptionsTable, separator)}
          fileName={subscriptionsFileName}
        />
      }
    >
      <div className="list-tools pad border-bottom justify-between row cluster">
        <SearchField label="Search emails and names" onSearch={setSearch} />
        <ul className="cluster" aria-label="Legend">
          <li>
            <SubscriptionStatus status="active" />
          </li>
          <li>
            <SubscriptionStatus status="unsubscribed" />
          </li>
        </ul>
      </div>
      <ExportProgress path={PATH} />
      <Read of={{ ...matches, reload: () => void matches.reload() }} subject="subscriptions">
        {() => (
          <RecordList
            pages={matches}
            className="subscriptions"
            filtered={search !== ""}
            notFound="No subscribers match your search."
            empty={{
              icon: MailOpen,
              title: "No email subscriptions yet",
              help: "Visitors join through the UPDATES tab on the home page.",
            }}
          >
            {(row, onDeleted) => (
              <SubscriptionRow key={row.id} subscription={row} onDeleted={onDeleted} />
            )}
          </RecordList>
        )}
      </Read>
      {matches.value?.some(({ status }) => status === "pending") && (
        <p className="pad border-top quiet small">
          Pending subscribers haven't confirmed yet. Their confirmation link expires after 7 days,
          and then they are removed.
        </p>
      )}
    </Card>
  );
}

/** `onDeleted` moves focus to where the row was. */
interface SubscriptionRowProps {
  readonly subscription: Subscription;
  readonly onDeleted: () => void;
}

function SubscriptionRow({ subscription, onDeleted }: SubscriptionRowProps) {
  const { email, name, status, source, subscribedAt, unreachable } = subscription;
  const remove = async () => {
    if (!window.confirm("Are you sure you want to delete this subscription?")) return;
    if (await deleteWithUndo("emailSubscriptions", subscription)) onDeleted();
  };
  return (
    <li className="list-row subscription quiet small">
      <span className="subscription-email">{email}</span>
      <span className="subscription-name">{name}</span>
      <span className="subscription-source">{source}</span>
      <span className="tabular faint">{subscribedAt && listedDateOf(subscribedAt)}</span>
      {unreachable ? <Badge>Undeliverable</Badge> : <SubscriptionStatus status={status} />}
      <IconButton icon={Trash2} label={`Delete ${email}`} onClick={() => void remove()} />
    </li>
  );
}

const TONES: Readonly<Record<string, ComponentProps<typeof Badge>["tone"]>> = {
  active: "ok",
  unsubscribed: "bad",
  pending: "warn",
};

/** Active green, unsubscribed red, pending yellow, others gray. */
function SubscriptionStatus({ status }: { status: string }) {
  const label = SUBSCRIPTION_STATUSES.find(({ value }) => value === status)?.label ?? status;
  return (
    <Badge tone={TONES[status] ?? "neutral"} dot>
      {label}
    </Badge>
  );
}
