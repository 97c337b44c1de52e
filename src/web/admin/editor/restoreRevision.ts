/** Puts an earlier state in the place of the present one; the toast offers the way back. */
import { entities, type EntityKey } from "../../../schema/index.ts";
import { call } from "../../api.ts";
import { withSession } from "../queries/session.ts";
import { toastFailure, toastSuccess } from "../queries/toasts.ts";
import { write } from "../queries/writes.ts";

/** Restores and toasts; answers whether it worked. */
export async function restoreRevision(entity: EntityKey, revision: number): Promise<boolean> {
  const path = `/api/history/${entities[entity].name}`;
  try {
    await write(entity, `${path}/${revision}/restore`, { method: "POST", body: {} });
    const before = await revisionBeforeLast(path);
    const undo = () => void restoreRevision(entity, before!);
    toastSuccess(
      "Earlier version restored",
      before === undefined ? undefined : { label: "Undo", onPress: undo },
    );
    return true;
  } catch (error) {
    toastFailure(error, "Failed to restore the earlier version");
    return false;
  }
}

/** What was replaced is the newest of the earlier revisions. */
async function revisionBeforeLast(path: string): Promise<number | undefined> {
  const revisions = await withSession(() => call<{ revision: number }[]>(path));
  return revisions[0]?.revision;
}
