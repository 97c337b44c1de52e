/** The shell for components: the site's name, styles, addresses and the day. */
import { rootRouteId, useMatch } from "@tanstack/react-router";
import type { Shell } from "./shell.ts";

/** The shell of the page. */
export function useShell(): Shell {
  return useMatch({ from: rootRouteId, select: (match) => match.loaderData as Shell });
}
