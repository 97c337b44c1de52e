/** The welcome after setup: four short screens to a finished site. Resumes where it was closed. */
import { Navigate, useNavigate } from "@tanstack/react-router";
import { useLayoutEffect, useState } from "react";
import type { Content } from "../../schema/index.ts";
import { useSessionWait } from "./data/client.ts";
import { persistDrafts } from "./data/draftSync.ts";
import { useCurrentUser } from "./data/session.ts";
import { useEntity } from "./data/useEntity.ts";
import { saveEntity } from "./data/writes.ts";
import { LoginAgain } from "./frame/LoginAgain.tsx";
import { useSheet } from "./parts/useSheet.ts";
import { Read } from "../ui/Read.tsx";
import { DoneStep } from "./welcome/DoneStep.tsx";
import { LinksStep } from "./welcome/LinksStep.tsx";
import { LookStep } from "./welcome/LookStep.tsx";
import { PhotoStep } from "./welcome/PhotoStep.tsx";
import { PosterStep } from "./welcome/PosterStep.tsx";
import { forgetWelcome, type StepProps } from "./welcome/step.ts";
import css from "./welcome/Welcome.css" with { type: "text" };
import { STEPS } from "./welcome/WelcomeFrame.tsx";

/** For the owner of a site that was set up with it. */
export function Welcome() {
  useSheet(css);
  useLayoutEffect(persistDrafts, []);
  const me = useCurrentUser();
  const isSessionOver = useSessionWait() !== null;
  return (
    <>
      <Read of={me} subject="this page" loadingMessage="Loading..." rows={0}>
        {(user) => (user ? <WelcomeSteps /> : <Navigate to="/admin/login" replace />)}
      </Read>
      {isSessionOver && <LoginAgain />}
    </>
  );
}

function WelcomeSteps() {
  const welcome = useEntity("welcome");
  const hero = useEntity("hero");
  return (
    <Read of={welcome} subject="this page" loadingMessage="Loading...">
      {(started) => (
        <Read of={hero} subject="this page" loadingMessage="Loading...">
          {(shown) => <Steps welcome={started} hero={shown} />}
        </Read>
      )}
    </Read>
  );
}

const SCREENS = [PosterStep, PhotoStep, LinksStep, LookStep] as const;

interface StepsProps {
  readonly welcome: Content<"welcome">;
  readonly hero: Content<"hero">;
}

function Steps({ welcome, hero }: StepsProps) {
  const navigate = useNavigate();
  // The stored step is only where it resumes; from here the page tracks its own.
  const [step, setStep] = useState(Math.min(Math.max(welcome.step, 1), STEPS));
  const [isOffered] = useState(welcome.state === "open" || welcome.state === "later");
  if (!isOffered) return <Navigate to="/admin/dashboard" replace />;
  const goTo = async (next: number) => {
    const state = next > STEPS ? "done" : "open";
    await saveEntity("welcome", { state, step: Math.min(next, STEPS) });
    setStep(next);
    window.scrollTo(0, 0);
  };
  const leave = async () => {
    if (step <= STEPS) await saveEntity("welcome", { state: "later", step });
    forgetWelcome();
    await navigate({ to: "/admin/dashboard" });
  };
  const Screen: ((props: StepProps) => React.ReactNode) | undefined = SCREENS[step - 1];
  if (!Screen) return <DoneStep hero={hero} onDashboard={() => void leave()} />;
  return (
    <Screen
      key={step}
      hero={hero}
      onNext={() => goTo(step + 1)}
      onBack={() => goTo(step - 1)}
      onLater={leave}
    />
  );
}
