/** The shade between a hero's text and its photo, in previews and checks; its code is loaded with the first photo. */
import { useEffect, useMemo, useState } from "react";
import { titlesOverPhoto } from "../../../schema/sections/coachingDefaults.ts";
import type { Content } from "../../../schema/index.ts";
import { topEdgeGray } from "../../../schema/sections/heroPortrait.ts";
import type { Pictures } from "../../../schema/pictures/pictures.ts";
import type { PageContent } from "../../shared/content.ts";
import { createPictures, type Upload, useUploads } from "../data/uploads.ts";

type ScrimCode = typeof import("../../../schema/looks/scrim.ts");

/** The code once loaded, while it is wanted; without it the usual shade is shown. */
export function useScrimCode(isWanted: boolean): ScrimCode | undefined {
  const [code, setCode] = useState<ScrimCode>();
  useEffect(() => {
    if (isWanted) import("../../../schema/looks/scrim.ts").then(setCode, () => undefined);
  }, [isWanted]);
  return isWanted ? code : undefined;
}

/** Pictures as on a page: those of heroes with the shade that these styles need. */
export function useScrimmedPictures(content: PageContent, styles: Content<"styles">): Pictures {
  const { files = [] } = useUploads();
  const heroes = files.filter(({ url }) => titlesOverPhoto(url, content).length > 0);
  const code = useScrimCode(heroes.length > 0);
  const titles = ({ url }: Upload) => titlesOverPhoto(url, content);
  const measured = JSON.stringify([
    heroes.map((file) => [file.url, file.focus, file.cuts, titles(file)]),
    styles,
  ]);
  const veils = useMemo(
    () =>
      heroes.map((file) => ({
        ...file,
        rim: topEdgeGray(file.light),
        veil: code?.computeScrimBehindTitles(titles(file), file, styles),
      })),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `measured` covers them
    [code, measured],
  );
  return { ...createPictures(files), ...createPictures(veils as Upload[]) };
}
