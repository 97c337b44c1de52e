/** The frame of all dashboard pages: query cache, toasts, announcements. */
import { QueryClientProvider } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useEffect, useLayoutEffect } from "react";
import { loadFont } from "../shared/fontLinks.ts";
import { usePageContext } from "../shared/pageContext.ts";
import { setTimeZone } from "../shared/formatTimes.ts";
import { showToasts } from "../ui/toaster.ts";
import { queryClient } from "./data/client.ts";
import { useAnnouncement } from "../ui/messages.ts";
import { startSchemeSync } from "./data/colorScheme.ts";

export function Admin() {
  // The dashboard's font always comes from the site itself, even if the public pages load fonts from a provider.
  useEffect(() => loadFont("Inter", "/fonts"), []);
  useLayoutEffect(startSchemeSync, []);
  useLayoutEffect(showToasts, []);
  useEffect(loadListeners, []);
  setTimeZone(usePageContext().zone);
  return (
    <QueryClientProvider client={queryClient}>
      <div className="admin">
        <Outlet />
      </div>
      <Announcer />
    </QueryClientProvider>
  );
}

/** Starts the listeners of frame/globalListeners.ts. Their code is loaded late, so that the page starts faster. */
function loadListeners(): () => void {
  let isUnmounted = false;
  let stopListening: (() => void) | undefined;
  const start = async () => {
    const { startGlobalListeners } = await import("./frame/globalListeners.ts");
    if (!isUnmounted) stopListening = startGlobalListeners();
  };
  // Without this code the dashboard works, but the save bar or a toast may cover the focused field.
  start().catch(() => undefined);
  return () => {
    isUnmounted = true;
    stopListening?.();
  };
}

function Announcer() {
  return <output className="visually-hidden">{useAnnouncement()}</output>;
}
