/** The site's activity: who did what, when and from where; by day, searchable. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import Archive from "lucide-react/icons/archive";
import CircleX from "lucide-react/icons/circle-x";
import LogIn from "lucide-react/icons/log-in";
import Pencil from "lucide-react/icons/pencil";
import ScrollText from "lucide-react/icons/scroll-text";
import Settings from "lucide-react/icons/settings";
import Users from "lucide-react/icons/users";
import { useState } from "react";
import { AUDIT_KINDS, type AuditKind } from "../../../schema/audit.ts";
import type { Item } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { api } from "../data/client.ts";
import { toastFailure } from "../../ui/messages.ts";
import { SearchField } from "../../ui/SearchField.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { useSheet } from "../parts/useSheet.ts";
import { dayOf, timeOf } from "../../shared/when.ts";
import { LoadFailed, Loading } from "../../ui/Read.tsx";
import css from "./WhatHappened.css" with { type: "text" };

/** A stored entry has its time. */
interface Entry extends Item<"auditLog"> {
  readonly at: string;
}

const ICONS: Readonly<Record<AuditKind, LucideIcon>> = {
  login: LogIn,
  failedLogin: CircleX,
  content: Pencil,
  settings: Settings,
  people: Users,
  data: Archive,
};

export function WhatHappened() {
  useSheet(css);
  const [search, setSearch] = useState("");
  const [kind, setKind] = useState("");
  const pages = useEntries({ search, kind });
  return (
    <div className="card happenings">
      <div className="happenings-asked split pad">
        <SearchField label="Search people and things" onSearch={setSearch} />
        <select aria-label="Show" value={kind} onChange={({ target }) => setKind(target.value)}>
          <option value="">Everything</option>
          {AUDIT_KINDS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <Entries pages={pages} isFiltered={search !== "" || kind !== ""} />
    </div>
  );
}

function useEntries(asked: { readonly search: string; readonly kind: string }) {
  return useInfiniteQuery({
    queryKey: ["audit-log", asked],
    staleTime: 0,
    initialPageParam: 0,
    // The old results stay until the new ones are loaded.
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam: offset }) => {
      const options = { method: "POST", body: { ...asked, offset } } as const;
      const { body, headers } = await api.call<Entry[]>("/api/audit-log/search", options);
      const total = Number(headers.get("x-total-count"));
      const next = offset + body.length;
      return { entries: body, total, next: body.length > 0 && next < total ? next : undefined };
    },
    getNextPageParam: ({ next }) => next,
  });
}

interface EntriesProps {
  readonly pages: ReturnType<typeof useEntries>;
  readonly isFiltered: boolean;
}

function Entries({ pages, isFiltered }: EntriesProps) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = pages;
  if (!data && error) return <LoadFailed what="what happened" onRetry={() => void refetch()} />;
  if (!data) return <Loading words="Loading what happened..." />;
  const entries = data.pages.flatMap((page) => page.entries);
  const [first] = data.pages;
  if (!first?.entries.length)
    return (
      <EmptyState icon={ScrollText} title={isFiltered ? "Nothing found" : "Nothing yet"}>
        {isFiltered && "Search for other words, or show everything."}
      </EmptyState>
    );
  const more = async () => {
    const { error: failure } = await fetchNextPage();
    if (failure) toastFailure(failure, "The next rows couldn't be loaded. Try again.");
  };
  const days = [...Map.groupBy(entries, ({ at }) => dayOf(at))];
  return (
    <>
      {days.map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h3 className="ruled faint small">{day}</h3>
          <ol className="lines">
            {ofDay.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
      <footer className="bar between line ruled small">
        <span className="quiet">
          {entries.length} of {first.total}, kept for a year
        </span>
        {hasNextPage && (
          <Button pending={isFetchingNextPage} onClick={() => void more()}>
            Show more
          </Button>
        )}
      </footer>
    </>
  );
}

function EntryRow({ entry }: { entry: Entry }) {
  const { at, kind, who, what, count } = entry;
  const Icon = ICONS[kind];
  const facts = factsOf(entry);
  return (
    <li>
      <time className="faint figures" dateTime={at}>
        {timeOf(at)}
      </time>
      <Icon size={16} className="quiet" aria-hidden="true" />
      <div>
        <p dir="auto">
          <strong>{who}</strong> {what}
          {count > 1 && ` (${count} times)`}
        </p>
        {facts && <p className="quiet small">{facts}</p>}
      </div>
    </li>
  );
}

function factsOf({ detail, browser, address }: Entry): string {
  const from = [browser, address && `from ${address}`].filter(Boolean).join(" ");
  return [detail, from].filter(Boolean).join(" · ");
}
