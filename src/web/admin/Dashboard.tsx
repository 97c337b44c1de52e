/** The dashboard: the user, tabs, one save bar. */
import { Navigate, useBlocker } from "@tanstack/react-router";
import { type ComponentType, useEffect, useLayoutEffect } from "react";
import type { CurrentUser } from "../../schema/people/accounts.ts";
import { hasPermission } from "../../schema/core/roles.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { dismissError } from "../ui/toast.ts";
import { giveUpProof, useProofWait, useSessionWait } from "./data/client.ts";
import { decideLater, unsavedDrafts, useConflict } from "./data/drafts.ts";
import { persistDrafts } from "./data/draftSync.ts";
import { refusalMessage, useCurrentUser } from "./data/session.ts";
import { useEntity } from "./data/useEntity.ts";
import { isReloading, watchVersion } from "./data/version.ts";
import { notePresses } from "./editor/afterPress.ts";
import { Header } from "./frame/Header.tsx";
import { InfoCards } from "./frame/InfoCards.tsx";
import { LoginAgain } from "./frame/LoginAgain.tsx";
import { NewVersion } from "./frame/NewVersion.tsx";
import { Notices } from "./frame/Notices.tsx";
import { SaveBar } from "./frame/SaveBar.tsx";
import { TabPanel, TabRail, useOpenTab } from "./frame/TabRail.tsx";
import { lazyPart } from "./parts/LazyPart.tsx";
import { Loading, Read } from "../ui/Read.tsx";

/** For users who are logged in; others go to the login page. */
export function Dashboard() {
  const me = useCurrentUser();
  const [tab] = useOpenTab();
  useLayoutEffect(persistDrafts, []);
  useEffect(notePresses, []);
  useEffect(watchVersion, []);
  useEffect(clearTheFocus, []);
  useEffect(() => void tab?.Part.load(), [tab]);
  return (
    <Read
      of={me}
      subject="the dashboard"
      loadingMessage="Loading..."
      rows={0}
      advice={refusalMessage}
    >
      {(user) => (user ? <Inside user={user} /> : <Navigate to="/admin/login" replace />)}
    </Read>
  );
}

function Inside({ user }: { user: CurrentUser }) {
  if (user.owesSecondFactor)
    return (
      <>
        <Account />
        <Interruptions />
      </>
    );
  return hasPermission(user.role, "site") ? <AfterWelcome user={user} /> : <Screen user={user} />;
}

/** Resumes a welcome that was closed. */
function AfterWelcome({ user }: { user: CurrentUser }) {
  const { value, error } = useEntity("welcome");
  // Requests the first tab's data at the same time.
  const [tab] = useOpenTab();
  const enabled = tab?.key === "hero";
  useEntity("hero", undefined, { enabled });
  useEntity("styles", undefined, { enabled });
  if (value?.state === "open") return <Navigate to="/admin/welcome" replace />;
  // The dashboard doesn't wait for it, except briefly on the very first visit.
  return value || error ? <Screen user={user} /> : <Loading message="Loading..." rows={0} />;
}

/** Keeps docked elements off the focused field; loaded after the dashboard. */
function clearTheFocus(): () => void {
  let left = false;
  let end: (() => void) | undefined;
  const start = async () => {
    const { scrollFocusIntoView } = await import("./frame/docked.ts");
    if (!left) end = scrollFocusIntoView();
  };
  // Without its code a field may be covered until it is scrolled.
  start().catch(() => undefined);
  return () => {
    left = true;
    end?.();
  };
}

const Account = lazyPart<object>({
  subject: "the account",
  code: async () => (await import("./account/AccountPage.tsx")).AccountPage,
});

function Screen({ user }: { user: CurrentUser }) {
  const [tab] = useOpenTab();
  useLeaveGuard();
  return (
    <>
      <Header user={user} />
      <NewVersion />
      <Notices isOwner={hasPermission(user.role, "site")} />
      <div className="dashboard">
        <TabRail />
        {tab && <InfoCards user={user} />}
        <FailuresStay key={tab?.key} />
        <main className="content">{tab ? <TabPanel tab={tab} /> : <Account />}</main>
      </div>
      <SaveBar />
      <Interruptions />
    </>
  );
}

/** A failure's toast closes with its tab. */
function FailuresStay() {
  useEffect(() => dismissError, []);
  return null;
}

/** Leaving with unsaved changes asks; changing tabs doesn't. */
function useLeaveGuard(): void {
  useBlocker({
    shouldBlockFn: ({ next }) =>
      !next.pathname.toLowerCase().startsWith("/admin/dashboard") &&
      unsavedDrafts().length > 0 &&
      !window.confirm(QUESTION),
    enableBeforeUnload: () => unsavedDrafts().length > 0 && !isReloading(),
  });
}

const QUESTION =
  "You have unsaved changes. They'll be saved as a draft on this device. Leave the dashboard?";

/** Dialogs that block a save until the owner decides. */
function Interruptions() {
  const isSessionOver = useSessionWait() !== null;
  const isProofNeeded = useProofWait() !== null;
  const hasConflict = useConflict() !== undefined;
  return (
    <>
      {isSessionOver && <LoginAgain />}
      {isProofNeeded && <ProveAgain />}
      {hasConflict && <ConflictDialog />}
    </>
  );
}

/** A dialog whose code is loaded when needed; `later` closes it. */
const question = (title: string, code: () => Promise<ComponentType>, later: () => void) =>
  lazyPart<object>({
    subject: "this dialog",
    code,
    waiting: null,
    frame: (message) => (
      <Dialog open onClose={later} title={title} size="small">
        {message}
      </Dialog>
    ),
  });

const ProveAgain = question(
  "Confirm it's you",
  async () => (await import("./frame/ProveAgain.tsx")).ProveAgain,
  giveUpProof,
);

const ConflictDialog = question(
  "Changed in another window",
  async () => (await import("./frame/ConflictDialog.tsx")).ConflictDialog,
  decideLater,
);
