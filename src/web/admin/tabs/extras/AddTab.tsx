/** The Add tab: the extras that a site can have, each drawn in the owner's colors. */
import { Fragment, type ReactNode } from "react";
import { type ExtraKey, EXTRAS } from "../../../../schema/sections/extras.ts";
import { EXTRA_GROUPS } from "../../../../schema/entities/extra.ts";
import { usePageContext } from "../../../shared/pageContext.ts";
import { Button } from "../../../ui/Button.tsx";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { useEntity } from "../../data/useEntity.ts";
import { Badge, TabHead } from "../../parts/Card.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import css from "./extras.css" with { type: "text" };
import { useExtraActions } from "./extraActions.ts";

export function AddTab() {
  useStylesheet(css);
  const extrasQuery = useEntity("extras");
  return (
    <>
      <TabHead title="Add to your site" note="Sections you don't add stay hidden." />
      <AsyncContent state={extrasQuery} subject="the list of sections">
        {({ on }) =>
          Object.entries(EXTRA_GROUPS).map(([group, title]) => (
            <Fragment key={group}>
              <h3 className="gallery-title quiet">{title}</h3>
              <ul className="gallery auto-grid">
                {EXTRAS.filter((extra) => extra.group === group).map((extra) => (
                  <ExtraCard key={extra.key} extra={extra} isOn={on.includes(extra.key)} />
                ))}
              </ul>
            </Fragment>
          ))
        }
      </AsyncContent>
    </>
  );
}

function ExtraCard({ extra, isOn }: { extra: (typeof EXTRAS)[number]; isOn: boolean }) {
  const { open, add } = useExtraActions(extra);
  const [isPending, startAdding] = useAction(add);
  const { label, description, key } = extra;
  return (
    <li className="gallery-card card gap-12">
      <ExtraDrawing>{DRAWING_BY_EXTRA[key] ?? DEFAULT_DRAWING}</ExtraDrawing>
      <div className="gap-4 stack grow">
        <h4>{label}</h4>
        <p className="quiet">{description}</p>
      </div>
      <div className="gallery-actions justify-between row cluster">
        {isOn && <Badge tone="ok">Added</Badge>}
        {isOn ? (
          <Button variant="quiet" aria-label={`Open ${label}`} onClick={open}>
            Open
          </Button>
        ) : (
          <Button isPending={isPending} aria-label={`Add ${label}`} onClick={() => startAdding()}>
            Add
          </Button>
        )}
      </div>
    </li>
  );
}

function ExtraDrawing({ children }: { children: ReactNode }) {
  const { styles: initialStyles } = usePageContext();
  const { value: styles = initialStyles } = useEntity("styles");
  return (
    <svg
      className="gallery-drawing well full-width"
      viewBox="0 0 160 100"
      aria-hidden="true"
      style={{ background: styles.backgroundColor, color: styles.textColor, fill: "currentColor" }}
      stroke={styles.primaryColor}
      strokeWidth="0"
    >
      {children}
    </svg>
  );
}

const DEFAULT_DRAWING = (
  <>
    <rect x="20" y="14" width="48" height="7" rx="2" />
    {[32, 52, 72].map((y) => (
      <g key={y}>
        <rect x="20" y={y} width="20" height="14" rx="2" opacity="0.3" />
        <rect x="48" y={y + 2} width="56" height="4" rx="2" />
        <rect x="48" y={y + 9} width="84" height="3" rx="1.5" opacity="0.4" />
      </g>
    ))}
  </>
);

const DRAWING_BY_EXTRA: Readonly<Record<string, ReactNode>> = {
  showreel: (
    <>
      <rect x="20" y="14" width="120" height="50" rx="3" opacity="0.3" />
      <path d="M74 30v18l15-9z" />
      {[20, 62, 104].map((x) => (
        <rect key={x} x={x} y="72" width="36" height="18" rx="2" opacity="0.3" />
      ))}
    </>
  ),
  dates: (
    <>
      {[18, 46, 74].map((y) => (
        <g key={y}>
          <rect x="20" y={y} width="14" height="14" rx="2" />
          <rect x="46" y={y + 2} width="52" height="4" rx="2" />
          <rect x="46" y={y + 10} width="34" height="3" rx="1.5" opacity="0.4" />
          <rect x="116" y={y + 2} width="24" height="10" rx="3" fill="none" strokeWidth="1.5" />
        </g>
      ))}
    </>
  ),
  testimonials: (
    <>
      <rect x="20" y="18" width="104" height="7" rx="2" />
      <rect x="20" y="30" width="76" height="7" rx="2" />
      <circle cx="25" cy="49" r="5" opacity="0.4" />
      <rect x="35" y="47" width="30" height="3" rx="1.5" opacity="0.4" />
      {[20, 84].map((x) => (
        <g key={x}>
          <rect x={x} y="66" width="56" height="3" rx="1.5" opacity="0.4" />
          <rect x={x} y="73" width="42" height="3" rx="1.5" opacity="0.4" />
          <circle cx={x + 4} cy="86" r="4" opacity="0.4" />
        </g>
      ))}
    </>
  ),
  packages: (
    <>
      {[16, 60, 104].map((x, index) => (
        <g key={x}>
          <rect
            x={x}
            y="18"
            width="40"
            height="64"
            rx="3"
            fill="none"
            strokeWidth={index === 1 ? 2 : 1}
            stroke={index === 1 ? undefined : "currentColor"}
            strokeOpacity={index === 1 ? 1 : 0.4}
          />
          <rect x={x + 7} y="27" width="20" height="9" rx="2" />
          <rect x={x + 7} y="45" width="26" height="3" rx="1.5" opacity="0.4" />
          <rect x={x + 7} y="53" width="18" height="3" rx="1.5" opacity="0.4" />
          <rect x={x + 7} y="67" width="26" height="8" rx="2" opacity={index === 1 ? 1 : 0.3} />
        </g>
      ))}
    </>
  ),
  announcement: (
    <>
      <rect x="20" y="16" width="30" height="4" rx="2" />
      <rect x="20" y="27" width="76" height="13" rx="3" fill="none" strokeWidth="1.5" />
      <rect x="26" y="32" width="56" height="3" rx="1.5" />
      <rect x="20" y="60" width="108" height="24" rx="3" opacity="0.3" />
    </>
  ),
} satisfies Partial<Record<ExtraKey, ReactNode>>;
