/** The foot of a long list: which rows are shown, and the way to more. */
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { toastFailure } from "../queries/toasts.ts";
import type { Pages } from "./usePages.ts";

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
