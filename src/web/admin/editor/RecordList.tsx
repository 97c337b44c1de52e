/** The foot of a long list: which rows are shown, and the way to more. */
import Search from "lucide-react/icons/search";
import { useEffect, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { toastFailure } from "../data/messages.ts";
import type { Pages } from "../data/usePages.ts";

// A search that asks when the typing pauses.

/** How long the typing has to pause, in milliseconds. */
const PAUSE = 250;

/** `label` names it and stands in it as its placeholder. */
interface SearchFieldProps {
  readonly label: string;
  readonly onSearch: (words: string) => void;
}

/** Renders the field. */
export function SearchField({ label, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => onSearch(typed.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [typed, onSearch]);
  return (
    <div className="search">
      <Search size={16} aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  );
}

/** Renders "Showing 1–20 of 24" and Show more; `onMore` hears when the new rows are there. */
export function ShowMore({ pages, onMore }: { pages: Pages<unknown>; onMore?: () => void }) {
  const [pending, setPending] = useState(false);
  const more = async () => {
    setPending(true);
    const answer = (await pages.more()) as { error: Error | null };
    setPending(false);
    if (answer.error) toastFailure(answer.error, "The next rows could not be read. Try again.");
    else onMore?.();
  };
  const count = pages.value?.length ?? 0;
  return (
    <div className="list-foot">
      <output>{`Showing ${count === 0 ? 0 : 1}–${count} of ${pages.total.toLocaleString("en-GB")}`}</output>
      {pages.hasMore && (
        <Button pending={pending} onClick={() => void more()}>
          Show more
        </Button>
      )}
    </div>
  );
}
