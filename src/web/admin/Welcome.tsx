/** The welcome assistant after setup: four short screens to a finished site. It can be closed and continued later. */
import { Navigate, useBlocker, useNavigate } from "@tanstack/react-router";
import { useLayoutEffect, useState } from "react";
import type { Content } from "../../schema/index.ts";
import { hasUploads } from "./data/activeUploads.ts";
import { useSessionWait } from "./data/client.ts";
import { startDraftPersistence } from "./data/draftSync.ts";
import { useCurrentUser } from "./data/session.ts";
import { useEntity } from "./data/useEntity.ts";
import { saveEntity } from "./data/entityWrites.ts";
import { ReloginDialog } from "./frame/ReloginDialog.tsx";
import { useStylesheet } from "./parts/useStylesheet.ts";
import { AsyncContent } from "../ui/AsyncContent.tsx";
import { DoneStep } from "./welcome/DoneStep.tsx";
import { LinksStep } from "./welcome/LinksStep.tsx";
import { LookStep } from "./welcome/LookStep.tsx";
import { PhotoStep } from "./welcome/PhotoStep.tsx";
import { HeroTextStep } from "./welcome/HeroTextStep.tsx";
import { discardWelcomeInput, type StepProps, STEP_COUNT } from "./welcome/WelcomeFrame.tsx";
import css from "./welcome/Welcome.css" with { type: "text" };

export function Welcome() {
  useStylesheet(css);
  useLayoutEffect(startDraftPersistence, []);
  const userQuery = useCurrentUser();
  // The browser asks before closing the page only during uploads. All other input is stored on this device.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: hasUploads });
  const isSessionOver = useSessionWait() !== null;
  return (
    <>
      <AsyncContent state={userQuery} subject="this page" loadingMessage="Loading..." rows={0}>
        {(user) => (user ? <WelcomeSteps /> : <Navigate to="/admin/login" replace />)}
      </AsyncContent>
      {isSessionOver && <ReloginDialog />}
    </>
  );
}

function WelcomeSteps() {
  const welcomeQuery = useEntity("welcome");
  const heroQuery = useEntity("hero");
  return (
    <AsyncContent state={welcomeQuery} subject="this page" loadingMessage="Loading...">
      {(welcome) => (
        <AsyncContent state={heroQuery} subject="this page" loadingMessage="Loading...">
          {(hero) => <CurrentStep welcome={welcome} hero={hero} />}
        </AsyncContent>
      )}
    </AsyncContent>
  );
}

const STEP_SCREENS = [HeroTextStep, PhotoStep, LinksStep, LookStep] as const;

interface CurrentStepProps {
  readonly welcome: Content<"welcome">;
  readonly hero: Content<"hero">;
}

function CurrentStep({ welcome, hero }: CurrentStepProps) {
  const navigate = useNavigate();
  // `welcome.step` is read only once, since each saved step changes it.
  const [step, setStep] = useState(Math.min(Math.max(welcome.step, 1), STEP_COUNT));
  const [isUnfinished] = useState(welcome.state === "open" || welcome.state === "later");
  if (!isUnfinished) return <Navigate to="/admin/dashboard" replace />;
  const goToStep = async (next: number) => {
    const state = next > STEP_COUNT ? "done" : "open";
    await saveEntity("welcome", { state, step: Math.min(next, STEP_COUNT) });
    setStep(next);
    window.scrollTo(0, 0);
  };
  const leaveWelcome = async () => {
    if (step <= STEP_COUNT) await saveEntity("welcome", { state: "later", step });
    discardWelcomeInput();
    await navigate({ to: "/admin/dashboard" });
  };
  const Screen: ((props: StepProps) => React.ReactNode) | undefined = STEP_SCREENS[step - 1];
  if (!Screen) return <DoneStep hero={hero} onDashboard={() => void leaveWelcome()} />;
  return (
    <Screen
      key={step}
      hero={hero}
      onNext={() => goToStep(step + 1)}
      onBack={() => goToStep(step - 1)}
      onLeave={leaveWelcome}
    />
  );
}
