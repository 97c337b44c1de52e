/**
 * DATA_KEY: a key that lies elsewhere than the data (a credential of the service, a vault) and seals what the
 * site keeps to itself. Whoever copies the data, a disk or a backup has neither sessions nor codes with it.
 */
import { sealOf } from "./seal.ts";

/** What is kept, sealed or as it is. `place` says what it is, and is bound to it. */
export interface DataKey {
  /** As it is to be kept: sealed by the first key, or as it is without one. */
  close(text: string, place: string): string;
  /** Undefined for what is sealed, and none of the keys opens. */
  open(kept: string, place: string): string | undefined;
  /** Whether it is kept as `close` would keep it now. */
  isClosed(kept: string, place: string): boolean;
}

/** The value of the setting: the first one seals, the others open what they have sealed. */
export const OFF = "off";

const SEALED = "sealed:";

/** Whether a text was sealed by a data key. */
export const isSealed = (kept: string): boolean => kept.startsWith(SEALED);

/** `keys` are the setting's: in base64, the first may be "off". Without any nothing is sealed. */
export function dataKeyOf(keys: readonly string[] = []): DataKey {
  const seals = keys
    .filter((key) => key !== OFF)
    .map((key) => sealOf(Buffer.from(key, "base64"), "limelight data"));
  const first = keys[0] === OFF ? undefined : seals[0];
  const opened = (kept: string, place: string, by: typeof seals) =>
    by
      .map((seal) => seal.open(kept.slice(SEALED.length), place))
      .find((text) => text !== undefined);
  return {
    close: (text, place) => (first ? SEALED + first.close(text, place) : text),
    open: (kept, place) => (isSealed(kept) ? opened(kept, place, seals) : kept),
    isClosed: (kept, place) =>
      isSealed(kept)
        ? first !== undefined && opened(kept, place, [first]) !== undefined
        : first === undefined,
  };
}
