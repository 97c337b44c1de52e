/** A QR code, dark on light in every theme, since some cameras can't read inverted codes. */
import type { DrawnQr } from "../../../schema/api/drawnQr.ts";
import css from "./QrCodeImage.css" with { type: "text" };
import { useStylesheet } from "./useStylesheet.ts";

interface QrCodeImageProps {
  readonly code: DrawnQr;
  /** The target of the code, for screen readers. */
  readonly label: string;
}

export function QrCodeImage({ code: { size, path }, label }: QrCodeImageProps) {
  useStylesheet(css);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
