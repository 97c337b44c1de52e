/** A gray placeholder in the shape of the content being loaded. */
import type { CSSProperties } from "react";

/** CSS lengths; by default it fills its container. Hidden from assistive technology. */
interface SkeletonProps {
  readonly width?: string;
  readonly height?: string;
  readonly isRound?: boolean;
  readonly className?: string;
}

export function Skeleton({ width, height, isRound: round = false, className = "" }: SkeletonProps) {
  const style: CSSProperties = { width, height, ...(round ? { borderRadius: "50%" } : {}) };
  return <span aria-hidden="true" className={`ui-skeleton ${className}`} style={style} />;
}
