/** Adds a form with the beginnings of spec section 4. */
import Plus from "lucide-react/icons/plus";
import { Button } from "../../../ui/Button.tsx";
import { useCreate } from "../../queries/mutations.ts";
import { newForm } from "./bodies.ts";

/** `count` is how many forms there are. */
export function NewFormButton({ count, primary = false }: { count: number; primary?: boolean }) {
  const create = useCreate("forms");
  return (
    <Button
      variant={primary ? "primary" : "neutral"}
      pending={create.isPending}
      onClick={() => create.mutate(newForm(count + 1))}
    >
      <Plus size={16} aria-hidden="true" /> New Form
    </Button>
  );
}
