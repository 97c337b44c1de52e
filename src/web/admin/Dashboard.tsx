/** The dashboard (spec section 2): who is logged in, eleven tabs, one save bar. */
import { Navigate, useBlocker } from "@tanstack/react-router";
import { useEffect } from "react";
import type { CurrentUser } from "../../schema/accounts.ts";
import { unsavedDrafts } from "./drafts/drafts.ts";
import { Header } from "./frame/Header.tsx";
import { InfoCards } from "./frame/InfoCards.tsx";
import { Interruptions } from "./frame/Interruptions.tsx";
import { SaveBar } from "./frame/SaveBar.tsx";
import { TabPanel } from "./frame/TabPanel.tsx";
import { TabRail } from "./frame/TabRail.tsx";
import { useOpenTab } from "./frame/useOpenTab.ts";
import { LoadFailed } from "./parts/LoadFailed.tsx";
import { Loading } from "./parts/Loading.tsx";
import { useCurrentUser } from "./queries/useCurrentUser.ts";

/** Shows the dashboard to who is logged in; everyone else goes to the login page (spec section 4). */
export function Dashboard() {
  const { data: user, isPending, refetch } = useCurrentUser();
  const [tab] = useOpenTab();
  useEffect(() => void tab.load(), [tab]);
  if (isPending) return <Loading words="Loading..." rows={0} />;
  if (user === null) return <Navigate to="/admin/login" replace />;
  if (user === undefined) return <LoadFailed what="the dashboard" onRetry={() => void refetch()} />;
  return <Screen user={user} />;
}

function Screen({ user }: { user: CurrentUser }) {
  useLeaveGuard();
  return (
    <>
      <Header user={user} />
      <div className="dashboard">
        <InfoCards user={user} />
        <TabRail />
        <main className="content">
          <TabPanel />
        </main>
      </div>
      <SaveBar />
      <Interruptions />
    </>
  );
}

const QUESTION = "You have unsaved changes. They are kept on this device. Leave the dashboard?";

/** Leaving with unsaved changes asks; changing the tab does not leave. */
function useLeaveGuard(): void {
  useBlocker({
    shouldBlockFn: ({ next }) =>
      !next.pathname.toLowerCase().startsWith("/admin/dashboard") &&
      unsavedDrafts().length > 0 &&
      !window.confirm(QUESTION),
    enableBeforeUnload: () => unsavedDrafts().length > 0,
  });
}
