/** Which tab is open: the one in the address, else Hero (spec section 2). */
import { getRouteApi } from "@tanstack/react-router";
import { type Tab, tabs } from "../tabs/tabs.ts";

const route = getRouteApi("/admin/dashboard");

/** The open tab, and how to open another; Back goes to the one before. */
export function useOpenTab(): [Tab, (tab: Tab) => void] {
  const { tab: key } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (tab: Tab) => void navigate({ search: { tab: tab.key }, resetScroll: false });
  return [tabs.find((tab) => tab.key === key) ?? tabs[0]!, open];
}
