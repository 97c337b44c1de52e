/** The URL names the open newsletter: `&sub=letters.{id}`. */
import { getRouteApi } from "@tanstack/react-router";

const route = getRouteApi("/admin/dashboard");

export function useOpenLetter() {
  const { sub = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const [, id] = sub.split(".");
  const go = (to: string) =>
    void navigate({ search: (search) => ({ ...search, sub: to }), resetScroll: true });
  return { id, open: (letter: string) => go(`letters.${letter}`), close: () => go("letters") };
}
