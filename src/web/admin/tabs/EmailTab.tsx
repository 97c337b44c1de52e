/** The Email tab (spec section 2): the mailing list, and one person's data. */
import { format } from "date-fns";
import MailOpen from "lucide-react/icons/mail-open";
import SearchX from "lucide-react/icons/search-x";
import Trash2 from "lucide-react/icons/trash";
import { type ComponentProps, useRef, useState } from "react";
import type { Item } from "../../../schema/index.ts";
import { SUBSCRIPTION_STATUSES } from "../../../schema/visitors.ts";
import { subscriptionsFileName, subscriptionsTable } from "../data/csv.ts";
import { deleteRecord } from "../data/deleteRecord.ts";
import { pathOf } from "../data/useEntity.ts";
import { type Pages, usePages } from "../data/usePages.ts";
import { ExportButton, ExportProgress } from "../editor/exportRecords.tsx";
import { SearchField, ShowMore } from "../editor/RecordList.tsx";
import "../editor/recordStyles.ts";
import { Badge, Card, TabHead } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";
import { PersonCard } from "./PersonCard.tsx";

// The state of a subscription: active green, unsubscribed red, pending yellow, others grey (spec section 4).

const TONES: Readonly<Record<string, ComponentProps<typeof Badge>["tone"]>> = {
  active: "ok",
  unsubscribed: "bad",
  pending: "warn",
};

/** Renders the badge. */
export function SubscriptionStatus({ status }: { status: string }) {
  const label = SUBSCRIPTION_STATUSES.find(({ value }) => value === status)?.label ?? status;
  return (
    <Badge tone={TONES[status] ?? "neutral"} dot>
      {label}
    </Badge>
  );
}

// One address of the mailing list.

/** Spec section 5, "Confirmations". */
const QUESTION = "Are you sure you want to delete this subscription?";

/** `onDeleted` puts the focus where the row was. */
export interface SubscriptionRowProps {
  readonly subscription: Item<"emailSubscriptions">;
  readonly onDeleted: () => void;
}

/** Renders the row. */
export function SubscriptionRow({ subscription, onDeleted }: SubscriptionRowProps) {
  const { id, email, name, status, source, subscribedAt } = subscription;
  const remove = async () => {
    if (await deleteRecord("emailSubscriptions", id, QUESTION)) onDeleted();
  };
  return (
    <li className="row subscription">
      <span className="subscription-email">{email}</span>
      <span className="subscription-name">{name}</span>
      <span className="subscription-source">{source}</span>
      <span className="subscription-date">
        {subscribedAt && format(subscribedAt, "MMM d, yyyy")}
      </span>
      <SubscriptionStatus status={status} />
      <IconButton icon={Trash2} label={`Delete ${email}`} onClick={() => void remove()} />
    </li>
  );
}

// The mailing list: how many, who, since when; search, export, delete (spec section 2, "Email tab").

const PATH = pathOf("emailSubscriptions");

type Subscription = Item<"emailSubscriptions">;

/** Renders the card. */
export function SubscriptionsCard() {
  const [search, setSearch] = useState("");
  const all = usePages<Subscription>("emailSubscriptions", PATH);
  const found = usePages<Subscription>("emailSubscriptions", PATH, { search });
  return (
    <Card
      title="Email Subscriptions"
      note={all.value && <Badge>{all.total.toLocaleString("en-GB")} in total</Badge>}
      flush
      actions={
        <ExportButton
          path={PATH}
          what="subscriptions"
          table={subscriptionsTable}
          fileName={subscriptionsFileName}
        />
      }
    >
      <div className="list-tools">
        <SearchField label="Search emails and names" onSearch={setSearch} />
        <ul className="legend" aria-label="Legend">
          <li>
            <SubscriptionStatus status="active" />
          </li>
          <li>
            <SubscriptionStatus status="unsubscribed" />
          </li>
        </ul>
      </div>
      <ExportProgress path={PATH} />
      <WhenRead of={{ ...found, reload: () => void found.reload() }} what="subscriptions">
        {() => <SubscriptionList pages={found} filtered={search !== ""} />}
      </WhenRead>
    </Card>
  );
}

function SubscriptionList({ pages, filtered }: { pages: Pages<Subscription>; filtered: boolean }) {
  const list = useRef<HTMLUListElement>(null);
  const rows = pages.value ?? [];
  const focusRow = (at: number) =>
    requestAnimationFrame(() =>
      list.current?.children[at]?.querySelector<HTMLElement>("button")?.focus(),
    );
  if (rows.length === 0) return <NoSubscriptions filtered={filtered} />;
  return (
    <>
      <ul ref={list} className="rows subscriptions">
        {rows.map((row, at) => (
          <SubscriptionRow
            key={row.id}
            subscription={row}
            onDeleted={() => focusRow(Math.max(0, Math.min(at, rows.length - 2)))}
          />
        ))}
      </ul>
      <ShowMore pages={pages} onMore={() => focusRow(rows.length)} />
    </>
  );
}

function NoSubscriptions({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <EmptyState icon={SearchX} title="Nothing found">
      No email or name holds these words.
    </EmptyState>
  ) : (
    <EmptyState icon={MailOpen} title="No email subscriptions yet">
      Visitors join by the UPDATES tab of the home page.
    </EmptyState>
  );
}

/** Shows the list and the card for a person's data. */
export function EmailTab() {
  return (
    <>
      <TabHead title="Email" note="Who wants to hear from you." />
      <div className="stack">
        <SubscriptionsCard />
        <PersonCard />
      </div>
    </>
  );
}
