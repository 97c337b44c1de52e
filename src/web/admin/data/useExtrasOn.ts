/** Which extras are on. */
import { useShell } from "../../shared/shell.ts";
import { useEntity } from "./useEntity.ts";

/** What is on came with the page; from then on, whoever changes it reads it. */
export function useExtrasOn(): readonly string[] {
  const { extras = [] } = useShell();
  const { value } = useEntity("extras", undefined, { enabled: false });
  return value?.on ?? extras;
}
