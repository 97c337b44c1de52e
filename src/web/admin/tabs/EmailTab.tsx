/** The Email tab: subscribers with search, export and deletion, and personal data requests. */
import MailOpen from "lucide-react/icons/mail-open";
import Trash2 from "lucide-react/icons/trash";
import { type ComponentProps, useState } from "react";
import { formatNumber } from "../../../schema/core/formatNumber.ts";
import type { Item } from "../../../schema/index.ts";
import { SUBSCRIPTION_STATUSES } from "../../../schema/enquiry/visitors.ts";
import { createCsvFile, SUBSCRIPTIONS_TABLE } from "../data/csv.ts";
import { deleteWithUndo } from "../data/listWrites.ts";
import { getEntityPath } from "../data/useEntity.ts";
import { usePagedList } from "../data/usePagedList.ts";
import { ExportButton, ExportProgress } from "../editor/ExportButton.tsx";
import { RecordList } from "../editor/RecordList.tsx";
import { formatListDate } from "../../shared/formatTimes.ts";
import { SearchField } from "../../ui/SearchField.tsx";
import { Badge, Card, TabHead } from "../parts/Card.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { createLazyComponent } from "../parts/lazyComponent.tsx";
import { Subtabs } from "../parts/Subtabs.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import { AsyncContent } from "../../ui/AsyncContent.tsx";
import css from "./EmailTab.css" with { type: "text" };
import { PersonalDataCard } from "./PersonalDataCard.tsx";

type Subscription = Item<"emailSubscriptions">;

export function EmailTab() {
  useStylesheet(css);
  return (
    <>
      <TabHead title="Email" note="The people who signed up to hear from you." />
      <Subtabs
        label="Email"
        tabs={[
          { key: "subscribers", label: "Subscribers", panel: <Subscribers /> },
          { key: "letters", label: "Newsletters", panel: <LazyLetters /> },
        ]}
      />
    </>
  );
}

const LazyLetters = createLazyComponent({
  subject: "the newsletters",
  loadCode: async () => (await import("./letters/Letters.tsx")).Letters,
});

function Subscribers() {
  return (
    <div className="stack gap-16">
      <SubscriptionsCard />
      <PersonalDataCard />
    </div>
  );
}

const SUBSCRIPTIONS_PATH = getEntityPath("emailSubscriptions");

function SubscriptionsCard() {
  const [search, setSearch] = useState("");
  const unfiltered = usePagedList<Subscription>("emailSubscriptions", SUBSCRIPTIONS_PATH);
  const filtered = usePagedList<Subscription>("emailSubscriptions", SUBSCRIPTIONS_PATH, { search });
  return (
    <Card
      title="Email Subscriptions"
      note={
        unfiltered.total !== undefined && <Badge>{formatNumber(unfiltered.total)} in total</Badge>
      }
      isFlush
      actions={
        <ExportButton
          path={SUBSCRIPTIONS_PATH}
          plural="subscriptions"
          createFile={(separator) => createCsvFile(SUBSCRIPTIONS_TABLE, separator)}
          fileName="email-subscriptions"
        />
      }
    >
      <div className="list-tools pad border-bottom justify-between row cluster">
        <SearchField label="Search emails and names" onSearch={setSearch} />
        <ul className="cluster" aria-label="Legend">
          {(["active", "unsubscribed"] as const).map((status) => (
            <li key={status}>
              <SubscriptionStatus status={status} />
            </li>
          ))}
        </ul>
      </div>
      <ExportProgress path={SUBSCRIPTIONS_PATH} />
      <AsyncContent state={filtered} subject="subscriptions">
        {() => (
          <RecordList
            list={filtered}
            className="subscriptions"
            isFiltered={search !== ""}
            notFoundText="No subscribers match your search."
            emptyState={{
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
      </AsyncContent>
      {filtered.value?.some(({ status }) => status === "pending") && (
        <p className="pad border-top quiet small">
          Pending subscribers haven't confirmed yet. Their confirmation link expires after 7 days,
          and then they are removed.
        </p>
      )}
    </Card>
  );
}

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
      <span className="faint">{subscribedAt && formatListDate(subscribedAt)}</span>
      {unreachable ? <Badge>Undeliverable</Badge> : <SubscriptionStatus status={status} />}
      <IconButton icon={Trash2} label={`Delete ${email}`} onClick={() => void remove()} />
    </li>
  );
}

const TONE_BY_STATUS: Readonly<Record<string, ComponentProps<typeof Badge>["tone"]>> = {
  active: "ok",
  unsubscribed: "bad",
  pending: "warn",
};

function SubscriptionStatus({ status }: { status: string }) {
  const label = SUBSCRIPTION_STATUSES.find(({ value }) => value === status)?.label ?? status;
  return (
    <Badge tone={TONE_BY_STATUS[status] ?? "neutral"} hasDot>
      {label}
    </Badge>
  );
}
