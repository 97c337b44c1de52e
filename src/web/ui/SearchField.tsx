/** A search field that searches when typing pauses. */
import Search from "lucide-react/icons/search";
import { useEffect, useState } from "react";

/** The pause in typing before a search, in milliseconds. */
const TYPING_PAUSE_MS = 250;

/** `label` is the accessible name and the placeholder. */
interface SearchFieldProps {
  readonly label: string;
  readonly onSearch: (query: string) => void;
}

export function SearchField({ label, onSearch }: SearchFieldProps) {
  const [query, setQuery] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => onSearch(query.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [query, onSearch]);
  return (
    <div className="search">
      <Search size={16} aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
    </div>
  );
}
