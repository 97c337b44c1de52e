/** A QR code: dark on light whatever the theme, as cameras read it. */
import type { DrawnQr } from "../../../schema/drawnQr.ts";
import css from "./Qr.css" with { type: "text" };
import { useSheet } from "./useSheet.ts";

interface QrProps {
  readonly of: DrawnQr;
  /** What it leads to, for those who don't see it. */
  readonly label: string;
}

export function Qr({ of: { size, path }, label }: QrProps) {
  useSheet(css);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
