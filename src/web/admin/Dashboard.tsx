/** The dashboard's main screen: checks the login, then shows the header, the tabs and the save bar. */
import { Navigate, useBlocker } from "@tanstack/react-router";
import { type ComponentType, useEffect, useLayoutEffect } from "react";
import type { CurrentUser } from "../../schema/people/accounts.ts";
import { hasPermission } from "../../schema/core/roles.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { dismissError } from "../ui/toast.ts";
import {
  cancelLogin,
  cancelReauthentication,
  useReauthenticationWait,
  useSessionWait,
} from "./data/client.ts";
import { hasUploads } from "./data/activeUploads.ts";
import { postponeConflicts, findUnsavedDrafts, useConflictingDraft } from "./data/drafts.ts";
import { startDraftPersistence } from "./data/draftSync.ts";
import { describeRefusal, useCurrentUser } from "./data/session.ts";
import { useEntity } from "./data/useEntity.ts";
import { isReloading, startVersionChecks } from "./data/version.ts";
import { trackPresses } from "./editor/afterPress.ts";
import { Header, InfoCards } from "./frame/Header.tsx";
import { NewVersionNotice, Notices } from "./frame/Notices.tsx";
import { SaveBar } from "./frame/SaveBar.tsx";
import { TabPanel, TabRail, useOpenTab } from "./frame/TabRail.tsx";
import { createLazyComponent } from "./parts/lazyComponent.tsx";
import { Loading, AsyncContent } from "../ui/AsyncContent.tsx";

export function Dashboard() {
  const userQuery = useCurrentUser();
  const [tab] = useOpenTab();
  useLayoutEffect(startDraftPersistence, []);
  useEffect(trackPresses, []);
  useEffect(startVersionChecks, []);
  useEffect(() => void tab?.Panel.load(), [tab]);
  return (
    <AsyncContent
      state={userQuery}
      subject="the dashboard"
      loadingMessage="Loading..."
      rows={0}
      getAdvice={describeRefusal}
    >
      {(user) => (user ? <DashboardContent user={user} /> : <Navigate to="/admin/login" replace />)}
    </AsyncContent>
  );
}

function DashboardContent({ user }: { user: CurrentUser }) {
  if (user.owesSecondFactor)
    return (
      <>
        <LazyAccountPage />
        <BlockingDialogs />
      </>
    );
  return hasPermission(user.role, "site") ? (
    <WelcomeRedirect user={user} />
  ) : (
    <DashboardScreen user={user} />
  );
}

/** Redirects owners to the welcome assistant until they have finished or closed it. */
function WelcomeRedirect({ user }: { user: CurrentUser }) {
  const { value, error } = useEntity("welcome");
  // Loads the Hero tab's data in parallel with the state of the welcome assistant.
  const [tab] = useOpenTab();
  const isHeroOpen = tab?.key === "hero";
  useEntity("hero", undefined, { enabled: isHeroOpen });
  useEntity("styles", undefined, { enabled: isHeroOpen });
  if (value?.state === "open") return <Navigate to="/admin/welcome" replace />;
  return value || error ? (
    <DashboardScreen user={user} />
  ) : (
    <Loading message="Loading..." rows={0} />
  );
}

const LazyAccountPage = createLazyComponent<object>({
  subject: "the account",
  loadCode: async () => (await import("./account/AccountPage.tsx")).AccountPage,
});

function DashboardScreen({ user }: { user: CurrentUser }) {
  const [tab] = useOpenTab();
  useLeaveConfirmation();
  return (
    <>
      <Header user={user} />
      <NewVersionNotice />
      <Notices isOwner={hasPermission(user.role, "site")} />
      <div className="dashboard">
        <TabRail />
        {tab && <InfoCards user={user} />}
        <ToastCleanup key={tab?.key} />
        <main className="content">{tab ? <TabPanel tab={tab} /> : <LazyAccountPage />}</main>
      </div>
      <SaveBar />
      <BlockingDialogs />
    </>
  );
}

/** Closes the toast about a failed action when the user opens another tab. */
function ToastCleanup() {
  useEffect(() => dismissError, []);
  return null;
}

/** Asks before the user leaves the dashboard with unsaved changes, or closes the page during uploads. */
function useLeaveConfirmation(): void {
  useBlocker({
    shouldBlockFn: ({ next }) =>
      !next.pathname.toLowerCase().startsWith("/admin/dashboard") &&
      findUnsavedDrafts().length > 0 &&
      !window.confirm(LEAVE_QUESTION),
    enableBeforeUnload: () => hasUploads() || (findUnsavedDrafts().length > 0 && !isReloading()),
  });
}

const LEAVE_QUESTION =
  "You have unsaved changes. They'll be saved as a draft on this device. Leave the dashboard?";

function BlockingDialogs() {
  const isSessionOver = useSessionWait() !== null;
  const isPasswordNeeded = useReauthenticationWait() !== null;
  const hasConflict = useConflictingDraft() !== undefined;
  return (
    <>
      {isSessionOver && <LazyReloginDialog />}
      {isPasswordNeeded && <LazyReauthenticationDialog />}
      {hasConflict && <LazyConflictDialog />}
    </>
  );
}

/** Creates a dialog whose code is loaded on demand. If loading fails, the dialog shows an error. */
const createLazyDialog = (
  title: string,
  loadCode: () => Promise<ComponentType>,
  onClose: () => void,
) =>
  createLazyComponent<object>({
    subject: "this dialog",
    loadCode,
    placeholder: null,
    wrapError: (message) => (
      <Dialog isOpen onClose={onClose} title={title} size="small">
        {message}
      </Dialog>
    ),
  });

const LazyReloginDialog = createLazyDialog(
  "Log in again",
  async () => (await import("./frame/ReloginDialog.tsx")).ReloginDialog,
  cancelLogin,
);

const LazyReauthenticationDialog = createLazyDialog(
  "Confirm it's you",
  async () => (await import("./frame/ReauthenticationDialog.tsx")).ReauthenticationDialog,
  cancelReauthentication,
);

const LazyConflictDialog = createLazyDialog(
  "Changed in another window",
  async () => (await import("./frame/ConflictDialog.tsx")).ConflictDialog,
  postponeConflicts,
);
