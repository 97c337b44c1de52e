/** The fourth screen of the welcome assistant: the choice of a look. Its Finish button completes the site. */
import { useEntity } from "../data/useEntity.ts";
import { WelcomeFrame, type StepProps, useStepSave, StepButtons } from "./WelcomeFrame.tsx";
import { useState } from "react";
import { type Look, findLook } from "../../../schema/looks/looks.ts";
import { LookChoice } from "../tabs/styles/LookChoice.tsx";
import { finishSite } from "./saveWelcome.ts";

export function LookStep({ hero, onNext, onBack }: StepProps) {
  const { value: storedStyles } = useEntity("styles");
  const [chosenLook, setChosenLook] = useState<Look>();
  const look = chosenLook ?? findLook(storedStyles?.look ?? "") ?? findLook("spotlight");
  const { save, go, ...saveState } = useStepSave(onNext);
  return (
    <WelcomeFrame
      step={4}
      title="Choose a look"
      note="Your text and photo in six looks. Tap one to try it; you can switch back."
      hero={hero}
      styles={look?.styles}
      footer={
        <StepButtons
          onBack={() => go(onBack)}
          nextLabel="Finish"
          onNext={() => save(() => finishSite(look, hero.subtitle))}
          {...saveState}
        />
      }
    >
      <LookChoice content={{ hero }} selectedName={look?.name} onChoose={setChosenLook} />
    </WelcomeFrame>
  );
}
