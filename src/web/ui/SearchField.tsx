/** A search that asks when the typing pauses. */
import Search from "lucide-react/icons/search";
import { useEffect, useState } from "react";

/** How long the typing has to pause before it is searched, in milliseconds. */
const PAUSE = 250;

/** `label` names the field and stands in it. */
interface SearchFieldProps {
  readonly label: string;
  readonly onSearch: (words: string) => void;
}

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
