/** The Email tab (spec section 2): the mailing list, and one person's data. */
import "../../records/recordStyles.ts";
import { TabHead } from "../../parts/TabHead.tsx";
import { PersonCard } from "./PersonCard.tsx";
import { SubscriptionsCard } from "./SubscriptionsCard.tsx";

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
