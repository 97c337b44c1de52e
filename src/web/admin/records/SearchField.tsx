/** A search that asks when the typing pauses. */
import Search from "lucide-react/icons/search";
import { useEffect, useState } from "react";

/** How long the typing has to pause, in milliseconds. */
const PAUSE = 250;

/** `label` names it and stands in it as its placeholder. */
export interface SearchFieldProps {
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
