/** What sections have in common: their three colors, their heading and their description. */
import type { CSSProperties, ReactNode } from "react";
import { fitted } from "./fitted.ts";
import { Words } from "./Words.tsx";

/** One that is missing is the theme's. */
interface SectionColors {
  readonly backgroundColor: string | null;
  readonly textColor: string | null;
  readonly accentColor: string | null;
}

/** `children` stand below the heading; `note` beside it, or below it on a narrow page. */
interface SectionShellProps {
  readonly id: string;
  readonly settings: SectionColors & { readonly heading: string };
  readonly note?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A section under its heading; its colors hold for everything in it. */
export function SectionShell({ id, settings, note, className = "", children }: SectionShellProps) {
  const titleId = `${id}-title`;
  return (
    <section
      id={id}
      className={`section ${className}`}
      style={ownColors(settings)}
      aria-labelledby={settings.heading ? titleId : undefined}
    >
      <div className="section-head" dir="auto">
        {settings.heading && (
          <h2 id={titleId} className="title fitted" style={fitted(settings.heading)}>
            <Words text={settings.heading} />
          </h2>
        )}
        {note}
      </div>
      {children}
    </section>
  );
}

/** What stands beside a heading, as the owner has typed it; nothing without words. */
export function SectionNote({ text }: { readonly text: string }) {
  if (!text) return null;
  return (
    <p className="section-note" dir="auto">
      <Words text={text} />
    </p>
  );
}

function ownColors(colors: SectionColors): CSSProperties {
  return {
    "--own-background": colors.backgroundColor,
    "--own-text": colors.textColor,
    "--own-accent": colors.accentColor,
  } as CSSProperties;
}
