/** The site's activity by day: entries with their user, time and IP address, and a search. */
import type { LucideIcon } from "lucide-react";
import Archive from "lucide-react/icons/archive";
import CircleX from "lucide-react/icons/circle-x";
import LogIn from "lucide-react/icons/log-in";
import Pencil from "lucide-react/icons/pencil";
import ScrollText from "lucide-react/icons/scroll-text";
import Settings from "lucide-react/icons/settings";
import Users from "lucide-react/icons/users";
import { useState } from "react";
import { AUDIT_KINDS, type AuditKind } from "../../../schema/people/audit.ts";
import type { Item } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Options } from "../../ui/SelectField.tsx";
import { type PagedList, usePagedList } from "../data/usePagedList.ts";
import { useLoadMore } from "../editor/RecordList.tsx";
import { SearchField } from "../../ui/SearchField.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import { formatRelativeDay, formatTime } from "../../shared/formatTimes.ts";
import { AsyncContent } from "../../ui/AsyncContent.tsx";
import css from "./AuditLog.css" with { type: "text" };

/** An entry of the activity log. `at` may be null in the entity's type, but a stored entry always has a time. */
interface AuditEntry extends Item<"auditLog"> {
  readonly at: string;
}

const ICON_BY_KIND: Readonly<Record<AuditKind, LucideIcon>> = {
  login: LogIn,
  failedLogin: CircleX,
  content: Pencil,
  settings: Settings,
  people: Users,
  data: Archive,
};

export function AuditLog() {
  useStylesheet(css);
  const [search, setSearch] = useState("");
  const [kind, setKind] = useState("");
  const filters = { search, kind };
  const list = usePagedList<AuditEntry>("auditLog", "/api/audit-log", filters, { isCached: false });
  const isFiltered = search !== "" || kind !== "";
  return (
    <div className="card activity-list">
      <div className="activity-filters split pad">
        <SearchField label="Search activity" onSearch={setSearch} />
        <select
          aria-label="Filter activity"
          value={kind}
          onChange={({ target }) => setKind(target.value)}
        >
          <option value="">All activity</option>
          <Options options={AUDIT_KINDS} />
        </select>
      </div>
      <AsyncContent state={list} subject="the activity log">
        {({ length }) =>
          length > 0 ? (
            <Entries list={list} />
          ) : (
            <EmptyState icon={ScrollText} title={isFiltered ? "No results" : "No activity yet"}>
              {isFiltered && "Try a different search or show all activity."}
            </EmptyState>
          )
        }
      </AsyncContent>
    </div>
  );
}

function Entries({ list }: { list: PagedList<AuditEntry> }) {
  const { value: entries = [], total, hasMore } = list;
  const [isPending, loadMore] = useLoadMore(list);
  return (
    <>
      {[...Map.groupBy(entries, ({ at }) => formatRelativeDay(at))].map(([day, entriesOfDay]) => (
        <section key={day} aria-label={day}>
          <h3 className="border-top faint small">{day}</h3>
          <ol className="divided">
            {entriesOfDay.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
      <footer className="card-row justify-between row border-top small">
        <span className="quiet">
          Showing {entries.length} of {total}. Entries are kept for one year.
        </span>
        {hasMore && (
          <Button isPending={isPending} onClick={loadMore}>
            Show more
          </Button>
        )}
      </footer>
    </>
  );
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  const { at, kind, who, what, count } = entry;
  const Icon = ICON_BY_KIND[kind];
  const details = describeDetails(entry);
  return (
    <li className="pad align-start">
      <time className="faint" dateTime={at}>
        {formatTime(at)}
      </time>
      <Icon size={16} className="quiet" aria-hidden="true" />
      <div>
        <p dir="auto">
          <strong>{who}</strong> {what}
          {count > 1 && ` (${count} times)`}
        </p>
        {details && <p className="quiet small">{details}</p>}
      </div>
    </li>
  );
}

function describeDetails({ detail, browser, address }: AuditEntry): string {
  const client = [browser, address && `from ${address}`].filter(Boolean).join(" ");
  return [detail, client].filter(Boolean).join(" · ");
}
