/** The frame of all dashboard pages: query cache, toasts, announcements. */
import { QueryClientProvider } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useEffect, useLayoutEffect } from "react";
import { loadFont } from "../shared/fontLinks.ts";
import { useShell } from "../shared/shell.ts";
import { setTimeZone } from "../shared/formatTimes.ts";
import { showToasts } from "../ui/toaster.ts";
import { queryClient } from "./data/client.ts";
import { useAnnouncement } from "../ui/messages.ts";
import { startSchemeSync } from "./data/colorScheme.ts";

export function Admin() {
  // The dashboard's font is served by this site, whichever the public pages use.
  useEffect(() => loadFont("Inter", "/fonts"), []);
  useLayoutEffect(startSchemeSync, []);
  useLayoutEffect(showToasts, []);
  setTimeZone(useShell().zone);
  return (
    <QueryClientProvider client={queryClient}>
      <div className="admin">
        <Outlet />
      </div>
      <Announcer />
    </QueryClientProvider>
  );
}

function Announcer() {
  return <output className="visually-hidden">{useAnnouncement()}</output>;
}
