/**
 * DATA_KEY: a key that lies elsewhere than the data (a credential of the service, a vault) and seals what the
 * site keeps to itself. Whoever copies the data, a disk or a backup has neither sessions nor codes with it.
 */
import { sealOf } from "./seal.ts";

/** What is kept, sealed or as it is. `purpose` says what it is, and is bound to it. */
export interface DataKey {
  /** As it is to be kept: sealed by the first key, or as it is without one. */
  close(text: string, purpose: string): string;
  /** Undefined for what is sealed, and none of the keys opens. */
  open(kept: string, purpose: string): string | undefined;
  /** Whether it is kept as `close` would keep it now. */
  isClosed(kept: string, purpose: string): boolean;
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
  const opened = (kept: string, purpose: string, by: typeof seals) =>
    by
      .map((seal) => seal.open(kept.slice(SEALED.length), purpose))
      .find((text) => text !== undefined);
  return {
    close: (text, purpose) => (first ? SEALED + first.close(text, purpose) : text),
    open: (kept, purpose) => (isSealed(kept) ? opened(kept, purpose, seals) : kept),
    isClosed: (kept, purpose) =>
      isSealed(kept)
        ? first !== undefined && opened(kept, purpose, [first]) !== undefined
        : first === undefined,
  };
}
