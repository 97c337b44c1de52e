/** The row of a deleted item: its kind, the time of its deletion, and the time left. */
import { Row } from "../../../ui/Row.tsx";
import type { LucideIcon } from "lucide-react";
import MessageSquare from "lucide-react/icons/message-square";
import Trash from "lucide-react/icons/trash";
import { createElement } from "react";
import { getItemTitle } from "../../../../schema/entities/changes.ts";
import { entities, type EntityKey, type Item } from "../../../../schema/index.ts";
import { DAY } from "../../../../schema/core/time.ts";
import type { Submission } from "../../../../schema/enquiry/visitors.ts";
import { formatCount } from "../../../../schema/core/formatNumber.ts";
import { Button } from "../../../ui/Button.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { api } from "../../data/client.ts";
import { undoDelete } from "../../data/listWrites.ts";
import { refetchPaths } from "../../data/apiQuery.ts";
import { ConfirmDialog, useConfirmation } from "../../parts/ConfirmDialog.tsx";
import { createFocusStyle } from "../../parts/Thumbnail.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { formatRelativeDateTime } from "../../../shared/formatTimes.ts";
import { summarizeSubmission } from "../../tabs/forms/SubmissionDetails.tsx";
import { tabs } from "../../tabs/tabs.ts";

/** An item in the response of GET /api/bin. */
export interface DeletedItem {
  readonly id: string;
  readonly entity: EntityKey;
  readonly item: Readonly<Record<string, unknown>>;
  readonly deletedAt: string;
  readonly until: string;
  /** By entity, the number of items that belong to the deleted item, such as a form's fields. */
  readonly contains?: Partial<Readonly<Record<EntityKey, number>>>;
  /** The sections that still refer to a deleted picture. */
  readonly usedIn?: readonly string[];
}

interface BinRowProps {
  readonly deletedItem: DeletedItem;
  readonly onRemoved: () => void;
}

export function BinRow({ deletedItem, onRemoved }: BinRowProps) {
  const { id, entity, deletedAt, until } = deletedItem;
  const name = getDeletedItemName(deletedItem);
  const note = [describeContents(deletedItem), formatRelativeDateTime(deletedAt)]
    .filter(Boolean)
    .join(" · ");
  const [isPending, restore] = useAction(async () => {
    if (await undoDelete(entity, id)) onRemoved();
  });
  return (
    <Row
      icon={<ItemThumbnail deletedItem={deletedItem} />}
      title={name}
      note={note}
      className="bin-row"
    >
      <span className="bin-left faint small">{formatDaysLeft(until)}</span>
      <Button size="small" isPending={isPending} aria-label={`Restore ${name}`} onClick={restore}>
        Restore
      </Button>
      <DeletePermanentlyButton id={id} name={name} onRemoved={onRemoved} />
    </Row>
  );
}

function ItemThumbnail({ deletedItem: { id, entity, item } }: { deletedItem: DeletedItem }) {
  if (entity === "uploads") {
    const pictureUrl = `/api/bin/${encodeURIComponent(id)}/picture`;
    const { tone, focus } = item as Item<"uploads">;
    return (
      <img
        className="well center quiet"
        src={pictureUrl}
        style={createFocusStyle(focus)}
        data-tone={tone}
        alt=""
        loading="lazy"
      />
    );
  }
  return (
    <span className="well center quiet">
      {createElement(getEntityIcon(entity), { size: 18, "aria-hidden": true })}
    </span>
  );
}

function getEntityIcon(entity: EntityKey): LucideIcon {
  if (entity === "formSubmissions") return MessageSquare;
  return tabs.find(({ entityKeys }) => entityKeys.includes(entity))?.icon ?? Trash;
}

function getDeletedItemName({ entity, item }: DeletedItem): string {
  const readText = (name: string) => (typeof item[name] === "string" ? (item[name] as string) : "");
  switch (entity) {
    case "formSubmissions":
      return `Submission from ${summarizeSubmission(item as Submission).visitorName}`;
    case "statistics":
      return `${readText("value")} ${readText("label")}`;
    case "letters":
      return readText("subject") || "Newsletter without a subject";
    default:
      return getItemTitle(entities[entity], item);
  }
}

/** Returns a text such as "Form with 6 fields"; empty for submissions, whose names already say "Submission". */
function describeContents({ entity, contains = {}, usedIn }: DeletedItem): string {
  if (entity === "formSubmissions") return "";
  if (entity === "uploads")
    return usedIn?.length ? `Image, used in ${usedIn.join(", ")}` : "Image, unused";
  const { formFields = 0, formSubmissions = 0 } = contains;
  const parts = [
    formFields > 0 && formatCount(formFields, "field"),
    formSubmissions > 0 && formatCount(formSubmissions, "submission"),
  ].filter(Boolean);
  const { label } = entities[entity];
  return parts.length > 0 ? `${label} with ${parts.join(" and ")}` : label;
}

function formatDaysLeft(expiresAt: string): string {
  const days = Math.ceil((Date.parse(expiresAt) - Date.now()) / DAY);
  return `${formatCount(Math.max(1, days), "day")} left`;
}

function DeletePermanentlyButton({
  id,
  name,
  onRemoved,
}: {
  id: string;
  name: string;
  onRemoved: () => void;
}) {
  const [ask, dialog] = useConfirmation(
    async () => {
      await api.delete(`/api/bin/${encodeURIComponent(id)}`);
      await refetchPaths("/api/bin");
      onRemoved();
    },
    { success: "Deleted permanently", failure: "Couldn't delete this item" },
  );
  return (
    <>
      <IconButton icon={Trash} label={`Delete ${name} permanently`} onClick={ask} />
      <ConfirmDialog
        {...dialog}
        title={`Delete "${name}" permanently?`}
        confirmLabel="Delete permanently"
      >
        <p>This item and everything that belongs to it will be deleted. This can't be undone.</p>
      </ConfirmDialog>
    </>
  );
}
