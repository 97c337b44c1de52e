/** The veil between a hero's words and its photo, in previews and checks; its code is fetched when a photo is there. */
import { useEffect, useMemo, useState } from "react";
import { titlesOn } from "../../../schema/coachingWords.ts";
import type { Content } from "../../../schema/index.ts";
import { rimOf } from "../../../schema/figures.ts";
import type { Pictures } from "../../../schema/pictures.ts";
import type { PageContent } from "../../shared/content.ts";
import { picturesOf, type Upload, useUploads } from "../data/uploads.ts";

type VeilCode = typeof import("../../../schema/veil.ts");

/** The code, once it is there and as long as it is wanted; without it the usual shade is shown. */
export function useVeilCode(isWanted: boolean): VeilCode | undefined {
  const [code, setCode] = useState<VeilCode>();
  useEffect(() => {
    if (isWanted) import("../../../schema/veil.ts").then(setCode, () => undefined);
  }, [isWanted]);
  return isWanted ? code : undefined;
}

/** Every picture as a page is given it: those of heroes with the veil that they need in these styles. */
export function useVeiledPictures(content: PageContent, styles: Content<"styles">): Pictures {
  const { files = [] } = useUploads();
  const heroes = files.filter(({ url }) => titlesOn(url, content).length > 0);
  const code = useVeilCode(heroes.length > 0);
  const titles = ({ url }: Upload) => titlesOn(url, content);
  const measured = JSON.stringify([
    heroes.map((file) => [file.url, file.focus, file.cuts, titles(file)]),
    styles,
  ]);
  const veils = useMemo(
    () =>
      heroes.map((file) => ({
        ...file,
        rim: rimOf(file.light),
        veil: code?.veilBehind(titles(file), file, styles),
      })),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what they are is said by `measured`
    [code, measured],
  );
  return { ...picturesOf(files), ...picturesOf(veils as Upload[]) };
}
