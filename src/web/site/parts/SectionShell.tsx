/** The shared parts of sections: three colors, a heading and a description. */
import type { CSSProperties, ReactNode } from "react";
import type { OptionalSectionColors } from "../../../schema/looks/looks.ts";
import { createTitleFitStyle } from "./fitTitle.ts";
import { TextLine } from "./TextLine.tsx";

/** `note` (default: the description) is beside the heading, or below it on a narrow page. */
interface SectionShellProps {
  readonly id: string;
  readonly settings: OptionalSectionColors & {
    readonly heading: string;
    readonly description?: string;
  };
  readonly note?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

export function SectionShell({ id, settings, note, className = "", children }: SectionShellProps) {
  const titleId = `${id}-title`;
  return (
    <section
      id={id}
      className={`section ${className}`}
      style={createColorProperties(settings)}
      aria-labelledby={settings.heading ? titleId : undefined}
    >
      <div className="section-head" dir="auto">
        {settings.heading && (
          <h2 id={titleId} className="title fitted" style={createTitleFitStyle(settings.heading)}>
            <TextLine text={settings.heading} />
          </h2>
        )}
        {note ??
          (settings.description && (
            <p className="section-note" dir="auto">
              <TextLine text={settings.description} />
            </p>
          ))}
      </div>
      {children}
    </section>
  );
}

function createColorProperties(colors: OptionalSectionColors): CSSProperties {
  return {
    "--own-background": colors.backgroundColor,
    "--own-text": colors.textColor,
    "--own-accent": colors.accentColor,
  } as CSSProperties;
}
