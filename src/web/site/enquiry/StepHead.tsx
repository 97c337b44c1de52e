/** Where the visitor is: dots, "Step N of M", the step's own words. */
import type { LoadedStep } from "./loadEnquiry.ts";

/** `index` counts from 0. */
export interface StepHeadProps {
  readonly step: LoadedStep["step"];
  readonly index: number;
  readonly count: number;
}

/** Renders the head of a step; its heading takes focus when the step changes. */
export function StepHead({ step, index, count }: StepHeadProps) {
  return (
    <header className="enquiry-head">
      <div className="enquiry-progress">
        <span className="enquiry-dots" aria-hidden="true">
          {Array.from({ length: count }, (_, at) => (
            <span key={at} data-current={at === index || undefined} />
          ))}
        </span>
        <p className="enquiry-count" aria-live="polite">
          {`Step ${index + 1} of ${count}`}
        </p>
      </div>
      <h3 tabIndex={-1} data-heading>
        {step.title}
      </h3>
      {step.subtitle && <p>{step.subtitle}</p>}
      {step.description && <p>{step.description}</p>}
    </header>
  );
}
