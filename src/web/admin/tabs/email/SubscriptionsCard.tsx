/** The mailing list: how many, who, since when; search, export, delete (spec section 2, "Email tab"). */
import MailOpen from "lucide-react/icons/mail-open";
import SearchX from "lucide-react/icons/search-x";
import { useRef, useState } from "react";
import type { Item } from "../../../../schema/index.ts";
import { subscriptionsFileName, subscriptionsTable } from "../../export/csv.ts";
import { ExportButton } from "../../export/ExportButton.tsx";
import { ExportProgress } from "../../export/ExportProgress.tsx";
import { Badge } from "../../parts/Badge.tsx";
import { Card } from "../../parts/Card.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { WhenRead } from "../../parts/WhenRead.tsx";
import { pathOf } from "../../queries/useEntity.ts";
import { SearchField } from "../../records/SearchField.tsx";
import { ShowMore } from "../../records/ShowMore.tsx";
import { type Pages, usePages } from "../../records/usePages.ts";
import { SubscriptionRow } from "./SubscriptionRow.tsx";
import { SubscriptionStatus } from "./SubscriptionStatus.tsx";

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
