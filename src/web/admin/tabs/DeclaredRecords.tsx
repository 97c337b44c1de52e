/** Records made from their declaration: what visitors sent, newest first, to read and delete. */
import Inbox from "lucide-react/icons/inbox";
import Trash2 from "lucide-react/icons/trash";
import { entities, type EntityKey } from "../../../schema/index.ts";
import type { Field } from "../../../schema/fields.ts";
import { deleteWithUndo } from "../editor/deleteWithUndo.ts";
import { Card } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";
import { useEntity } from "../queries/useEntity.ts";

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** Shows the records of an entity. */
export function DeclaredRecords({ entity }: { entity: EntityKey }) {
  const read = useEntity(entity);
  const { label } = entities[entity];
  const rows = (read.value ?? []) as unknown as readonly Row[];
  const fields = Object.entries(entities[entity].fields as Readonly<Record<string, Field>>).filter(
    ([, field]) => field.input !== "none",
  );
  return (
    <Card title={`All ${label.toLowerCase()}s`} note={rows.length} flush>
      <WhenRead of={read} what={`${label.toLowerCase()}s`}>
        {() => (
          <ul className="rows">
            {rows.length === 0 && (
              <EmptyState icon={Inbox} title={`No ${label.toLowerCase()}s yet`} />
            )}
            {rows.map((row) => (
              <li key={row.id} className="row">
                <div className="row-line">
                  <div className="row-content">
                    {fields
                      .map(([name]) => String(row[name] ?? ""))
                      .filter(Boolean)
                      .join(" · ")}
                  </div>
                  <IconButton
                    icon={Trash2}
                    label={`Delete ${String(row[fields[0]?.[0] ?? "id"])}`}
                    onClick={() => remove(entity, row)}
                  />
                </div>
              </li>
            ))}
          </ul>
        )}
      </WhenRead>
    </Card>
  );
}

function remove(entity: EntityKey, row: Row): void {
  const words = `Are you sure you want to delete this ${entities[entity].label.toLowerCase()}?`;
  if (window.confirm(words)) void deleteWithUndo(entity, row, false);
}
