/** The frame around every screen of the owner's side. */
import { Outlet } from "@tanstack/react-router";

/** Shows the matched admin screen. */
export function Admin() {
  return <Outlet />;
}
