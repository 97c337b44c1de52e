/** The first screen of the welcome assistant: the hero's texts. */
import Check from "lucide-react/icons/check";
import { splitTagline } from "../../../schema/sections/tagline.ts";
import { useLoadedWords } from "../../words/loadSiteWords.ts";
import { useEntity } from "../data/useEntity.ts";
import { TextField } from "../../ui/Field.tsx";
import { Form, useForm, useFormValues } from "../../ui/Form.tsx";
import {
  createHeroTexts,
  joinParts,
  splitParts,
  type HeroTextFields,
  saveHeroText,
} from "./saveWelcome.ts";
import { type StepProps, useStepSave, StepButtons, WelcomeFrame } from "./WelcomeFrame.tsx";

const createLineField = (name: keyof HeroTextFields, maxCharacters: number) => ({
  name,
  maxCharacters,
  isCounted: true,
  dir: "auto",
  autoComplete: "off",
});

export function HeroTextStep({ hero, onNext, onLeave }: StepProps) {
  const { save, go, ...saveState } = useStepSave(onNext);
  const form = useForm(useFormValues(toHeroTextFields(hero)), {
    save: async (values) => {
      if (!isIncomplete(values) && !saveState.isPending) save(() => saveHeroText(values, hero));
    },
  });
  const values = form.values;
  return (
    <WelcomeFrame
      step={1}
      title="What should your first screen say?"
      note="Two lines are enough. You can change every word later."
      hero={{ ...hero, ...createHeroTexts(values) }}
      hasPreviewOnPhone
      footer={
        <StepButtons
          backLabel="Skip setup"
          onBack={() => go(onLeave)}
          onNext={form.submit}
          {...saveState}
          isDisabled={isIncomplete(values)}
        />
      }
    >
      <Form form={form}>
        <TextField {...createLineField("name", 80)} label="Your name or stage name" />
        <TextField {...createLineField("occupation", 120)} label="What you do" />
        <OccupationSuggestions
          occupation={values.occupation}
          onChange={(occupation) => form.setValues({ occupation })}
        />
        <TextField
          {...createLineField("location", 120)}
          label="Location (optional)"
          placeholder="London, online"
        />
        {/* Lets users submit the form with Enter. */}
        <button type="submit" hidden aria-label="Next" />
      </Form>
    </WelcomeFrame>
  );
}

const isIncomplete = ({ name }: HeroTextFields) => name.trim() === "";

interface OccupationSuggestionsProps {
  readonly occupation: string;
  readonly onChange: (occupation: string) => void;
}

function OccupationSuggestions(props: OccupationSuggestionsProps) {
  const language = useEntity("site").value?.language ?? "en";
  const suggestions = useLoadedWords(language)?.words.welcome.roles;
  return (
    <div>
      <p className="quiet small mb-16">Or pick a suggestion</p>
      <ul className="cluster">
        {Object.values(suggestions ?? {}).map((suggestion) => (
          <li key={suggestion}>
            <OccupationButton {...props} suggestion={suggestion} language={language} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface OccupationButtonProps extends OccupationSuggestionsProps {
  readonly suggestion: string;
  readonly language: string;
}

/** Adds a suggestion to "What you do", or removes it. */
function OccupationButton({ suggestion, occupation, language, onChange }: OccupationButtonProps) {
  const parts = splitParts(occupation);
  const others = parts.filter((part) => part.toLowerCase() !== suggestion.toLowerCase());
  const isSelected = others.length < parts.length;
  return (
    <button
      type="button"
      className="ui-button chip"
      aria-pressed={isSelected}
      onClick={() => onChange(joinParts(isSelected ? others : [...parts, suggestion], language))}
    >
      {isSelected && <Check size={14} className="faint" aria-hidden="true" />}
      {suggestion}
    </button>
  );
}

/** Ignores a subtitle that is only the name, and a tagline that was made from the occupation. */
function toHeroTextFields({ mainTitle, subtitle, tagline }: StepProps["hero"]): HeroTextFields {
  const occupation = subtitle === mainTitle ? "" : subtitle;
  const hasLocation =
    occupation !== "" &&
    createHeroTexts({ name: mainTitle, occupation, location: "" }).tagline !== tagline;
  return {
    name: mainTitle,
    occupation,
    location: hasLocation ? splitTagline(tagline).join(", ") : "",
  };
}
