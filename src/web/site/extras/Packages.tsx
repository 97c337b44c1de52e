/** Packages: title, price and a button for each. */
import type { Item } from "../../../schema/index.ts";
import { splitLines } from "../../../schema/kinds/textKinds.ts";
import { type LoadedPage, getSingletonValue } from "../../shared/content.ts";
import { CallToAction } from "../parts/CallToAction.tsx";
import { SectionShell } from "../parts/SectionShell.tsx";
import { TextLine } from "../parts/TextLine.tsx";
import { ExtraStyles } from "./ExtraStyles.tsx";

export function Packages({ content }: LoadedPage) {
  const packages = content.packages ?? [];
  if (packages.length === 0) return null;
  const settings = getSingletonValue(content, "packageSettings");
  return (
    <>
      <ExtraStyles extra="packages" />
      <SectionShell id="packages" settings={settings}>
        <ul className="packages">
          {packages.map((item) => (
            <li key={item.id}>
              <Package item={item} />
            </li>
          ))}
        </ul>
        {settings.smallPrint && (
          <p dir="auto">
            <TextLine text={settings.smallPrint} />
          </p>
        )}
      </SectionShell>
    </>
  );
}

function Package({ item }: { readonly item: Item<"packages"> }) {
  const { title, price, per, description, featured } = item;
  const points = splitLines(item.points);
  return (
    <article data-featured={featured ? "" : undefined} dir="auto">
      <h3>
        <TextLine text={title} />
      </h3>
      {(price ?? per) && (
        <p className="package-price display">
          {price} {per && <small>{per}</small>}
        </p>
      )}
      {description && (
        <p>
          <TextLine text={description} />
        </p>
      )}
      {points.length > 0 && (
        <ul>
          {points.map((point, index) => (
            <li key={index}>
              <TextLine text={point} />
            </li>
          ))}
        </ul>
      )}
      <CallToAction action={item} linkedPackage={item} className={featured ? "" : "quiet"} />
    </article>
  );
}
