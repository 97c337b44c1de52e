/** One address of the mailing list. */
import { format } from "date-fns";
import Trash2 from "lucide-react/icons/trash";
import type { Item } from "../../../../schema/index.ts";
import { IconButton } from "../../parts/IconButton.tsx";
import { deleteRecord } from "../../records/deleteRecord.ts";
import { SubscriptionStatus } from "./SubscriptionStatus.tsx";

/** Spec section 5, "Confirmations". */
const QUESTION = "Are you sure you want to delete this subscription?";

/** `onDeleted` puts the focus where the row was. */
export interface SubscriptionRowProps {
  readonly subscription: Item<"emailSubscriptions">;
  readonly onDeleted: () => void;
}

/** Renders the row. */
export function SubscriptionRow({ subscription, onDeleted }: SubscriptionRowProps) {
  const { id, email, name, status, source, subscribedAt } = subscription;
  const remove = async () => {
    if (await deleteRecord("emailSubscriptions", id, QUESTION)) onDeleted();
  };
  return (
    <li className="row subscription">
      <span className="subscription-email">{email}</span>
      <span className="subscription-name">{name}</span>
      <span className="subscription-source">{source}</span>
      <span className="subscription-date">
        {subscribedAt && format(subscribedAt, "MMM d, yyyy")}
      </span>
      <SubscriptionStatus status={status} />
      <IconButton icon={Trash2} label={`Delete ${email}`} onClick={() => void remove()} />
    </li>
  );
}
