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
  useEffect(loadListeners, []);
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

/** Loaded after the page, to start faster (frame/listeners.ts). */
function loadListeners(): () => void {
  let left = false;
  let end: (() => void) | undefined;
  const start = async () => {
    const { listen } = await import("./frame/listeners.ts");
    if (!left) end = listen();
  };
  // If the code fails to load, a docked element may cover the focused field.
  start().catch(() => undefined);
  return () => {
    left = true;
    end?.();
  };
}

function Announcer() {
  return <output className="visually-hidden">{useAnnouncement()}</output>;
}
