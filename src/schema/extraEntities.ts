/** The entities of extras: the dashboard loads them with the code of their tabs (see src/build/leftOut.ts). */
import { DECLARED, type ExtraKey } from "./declaredExtras.ts";
import { extras } from "./extrasOn.ts";

/** The intersection of a union's members. */
type Together<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer All) => void
  ? All
  : never;

type Entities = Omit<Together<(typeof DECLARED)[ExtraKey]>, "extra">;

export const extraEntities: Entities & { readonly extras: typeof extras } = Object.assign(
  { extras },
  ...Object.values(DECLARED).map((declaration) => {
    const { extra: _, ...declared } = declaration;
    return declared;
  }),
);
