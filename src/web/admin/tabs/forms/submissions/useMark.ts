/** Marks a submission reviewed or new (spec section 4, "Form submission status"). */
import { useMutation } from "@tanstack/react-query";
import type { Item } from "../../../../../schema/index.ts";
import { toastFailure, toastSuccess } from "../../../queries/toasts.ts";
import { pathOf } from "../../../queries/useEntity.ts";
import { write } from "../../../queries/writes.ts";

/** The one change there is from a state, and whether it is under way. */
export interface Mark {
  readonly toggle: () => void;
  readonly isPending: boolean;
}

/** What the button reads: Mark Reviewed while it is new, else Mark New. */
export function markWords(status: string): string {
  return status === "new" ? "Mark Reviewed" : "Mark New";
}

/** PUT /api/form-submissions/{id}/status {status} (spec section 7). */
export function useMark({ id, status }: Item<"formSubmissions">): Mark {
  const { mutate, isPending } = useMutation({
    mutationFn: (next: string) =>
      write("formSubmissions", `${pathOf("formSubmissions")}/${encodeURIComponent(id)}/status`, {
        method: "PUT",
        body: { status: next },
      }),
    onSuccess: () => toastSuccess("Submission status updated successfully"),
    onError: (error) => toastFailure(error, "Failed to update submission status"),
  });
  return { toggle: () => mutate(status === "new" ? "reviewed" : "new"), isPending };
}
