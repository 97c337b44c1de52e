/** Which extras are on. */
import { useShell } from "../../shared/shell.ts";
import { useEntity } from "./useEntity.ts";

/** The page brings the list; after that, whoever changes it reads it. */
export function useExtrasOn(): readonly string[] {
  const { extras = [] } = useShell();
  const { value } = useEntity("extras", undefined, { enabled: false });
  return value?.on ?? extras;
}
