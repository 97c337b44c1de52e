/** The style sheet of pages with a card on an empty stage, which most visitors never see. */
import { useShell } from "../../shared/shell.ts";

export function NotFoundStyles() {
  const { assets } = useShell();
  return <link rel="stylesheet" href={assets.notFoundStyles} />;
}
