/** Example rows above a list's empty state: not interactive, and hidden from screen readers. */
import Image from "lucide-react/icons/image";
import type { ReactNode } from "react";
import { useStylesheet } from "../parts/useStylesheet.ts";
import css from "./Example.css" with { type: "text" };

export function ExampleList({ rows }: { readonly rows: readonly ReactNode[] }) {
  useStylesheet(css);
  return (
    <div className="example" inert aria-hidden="true">
      <p className="pad quiet small">For example</p>
      <div className="divided">
        {rows.map((row, at) => (
          <div key={at} className="list-row">
            <div className="row-line row">{row}</div>
          </div>
        ))}
      </div>
    </div>
  );
}

/** The placeholder of a picture in an example row. */
export const ExamplePicture = () => (
  <span className="row-picture well center quiet">
    <Image size={16} />
  </span>
);
