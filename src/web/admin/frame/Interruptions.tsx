/** What stands in the way of a save until the owner has answered; loaded when it is needed. */
import { useSignals } from "@preact/signals-react/runtime";
import { lazy, Suspense } from "react";
import { drafts } from "../drafts/drafts.ts";
import { sessionWait } from "../queries/session.ts";

const LoginAgain = lazy(async () => ({ default: (await import("./LoginAgain.tsx")).LoginAgain }));
const ConflictDialog = lazy(async () => ({
  default: (await import("./ConflictDialog.tsx")).ConflictDialog,
}));

/** Renders the question about an ended session, or about an edit made elsewhere. */
export function Interruptions() {
  useSignals();
  const conflict = Object.values(drafts.value).some(({ phase }) => phase === "conflict");
  return (
    <Suspense>
      {sessionWait.value && <LoginAgain />}
      {conflict && <ConflictDialog />}
    </Suspense>
  );
}
