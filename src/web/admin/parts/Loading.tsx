/** What stands in while something is read: words at once, the shape of the rows after 300 ms. */
import { useEffect, useState } from "react";
import { Skeleton } from "../../ui/Skeleton.tsx";

/** How long before a skeleton appears, in milliseconds (look/admin.md). */
const PATIENCE = 300;

/** `words` as the specification has them ("Loading statistics..."). */
export function Loading({ words, rows = 4 }: { words: string; rows?: number }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading" aria-live="polite">
      <p>{words}</p>
      {late &&
        Array.from({ length: rows }, (_, at) => (
          <div key={at} className="loading-row">
            <Skeleton width="1rem" height="0.75rem" />
            <Skeleton width={`${20 + ((at * 7) % 20)}%`} height="0.75rem" />
            <Skeleton width="4.5rem" height="0.75rem" />
          </div>
        ))}
    </div>
  );
}
