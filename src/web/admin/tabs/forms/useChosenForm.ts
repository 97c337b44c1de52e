/** Which form the Builder and the Submissions show; it is in the address (`&form=`). */
import { getRouteApi } from "@tanstack/react-router";

const route = getRouteApi("/admin/dashboard");

/** The subtabs of the Forms tab by their key in the address. */
export type FormsSubtab = "forms" | "builder" | "submissions";

/** The id of the chosen form, and ways to choose another and to open a subtab with it. */
export function useChosenForm() {
  const { form } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (id: string | undefined, sub?: FormsSubtab) =>
    void navigate({
      search: ({ tab, sub: open }) => ({ tab, sub: sub ?? open, form: id }),
      resetScroll: false,
    });
  return { chosen: form, choose };
}
