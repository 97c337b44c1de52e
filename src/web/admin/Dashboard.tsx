/** The dashboard: who is logged in, eleven tabs, one save bar. */
import { useSignals } from "@preact/signals-react/runtime";
import { Navigate, useBlocker } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useLayoutEffect } from "react";
import type { CurrentUser } from "../../schema/accounts.ts";
import { sessionWait } from "./data/client.ts";
import { drafts, keepDrafts, unsavedDrafts } from "./data/drafts.ts";
import { useCurrentUser } from "./data/session.ts";
import { notePresses } from "./editor/afterPress.ts";
import { Header, InfoCards } from "./frame/Header.tsx";
import { SaveBar } from "./frame/SaveBar.tsx";
import { TabPanel, TabRail, useOpenTab } from "./frame/TabRail.tsx";
import { LoadFailed, Loading } from "./parts/WhenRead.tsx";

/** For who is logged in; everyone else goes to the login page. */
export function Dashboard() {
  const { data: user, isPending, refetch } = useCurrentUser();
  const [tab] = useOpenTab();
  useLayoutEffect(keepDrafts, []);
  useEffect(notePresses, []);
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

const QUESTION = "You have unsaved changes. They will be kept on this device. Leave the dashboard?";

/** What stands in the way of a save until the owner has answered; loaded when it is needed. */
function Interruptions() {
  useSignals();
  const conflict = Object.values(drafts.value).some(({ phase }) => phase === "conflict");
  return (
    <Suspense>
      {sessionWait.value && <LoginAgain />}
      {conflict && <ConflictDialog />}
    </Suspense>
  );
}

const LoginAgain = lazy(async () => ({
  default: (await import("./frame/LoginAgain.tsx")).LoginAgain,
}));
const ConflictDialog = lazy(async () => ({
  default: (await import("./frame/ConflictDialog.tsx")).ConflictDialog,
}));
