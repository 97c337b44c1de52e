/** The fourth screen of the welcome: one of six looks, which finishes the site. */
import { useState } from "react";
import { type Look, findLook } from "../../../schema/looks/looks.ts";
import { useEntity } from "../data/useEntity.ts";
import { LookChoice } from "../tabs/styles/LookChoice.tsx";
import { finishSite } from "./saveWelcome.ts";
import { type StepProps, useStepSave } from "./step.ts";
import { StepButtons, WelcomeFrame } from "./WelcomeFrame.tsx";

export function LookStep({ hero, onNext, onBack }: StepProps) {
  const { value: stored } = useEntity("styles");
  const [chosen, choose] = useState<Look>();
  const look = chosen ?? findLook(stored?.look ?? "") ?? findLook("spotlight");
  const { save, go, ...saving } = useStepSave(onNext);
  return (
    <WelcomeFrame
      step={4}
      title="Choose a look"
      note="Your text and photo in six looks. Tap one to try it; you can switch back."
      hero={hero}
      styles={look?.styles}
      foot={
        <StepButtons
          backLabel="Back"
          onBack={() => go(onBack)}
          nextLabel="Finish"
          onNext={() => save(() => finishSite(look, hero.subtitle))}
          {...saving}
        />
      }
    >
      <LookChoice content={{ hero }} chosen={look?.name} onChoose={choose} />
    </WelcomeFrame>
  );
}
