/** The keys that sign links in messages and protect providers' reports. They are encrypted if DATA_KEY is set. */
import { entities, type Item } from "../../../schema/index.ts";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { DataKey } from "../../shared/secrets.ts";
import type { Store } from "../../storage/store.ts";

type Keys = Pick<Item<"letterSettings">, (typeof KEY_NAMES)[number]>;

const KEY_NAMES = ["linkSecret", "reportKey"] as const;

export type LinkKeys = Awaited<ReturnType<typeof openLinkKeys>>;

/** Creates missing keys, and encrypts all if DATA_KEY is set. Replaces keys that it can't decrypt, and logs that. */
export async function openLinkKeys(store: Store, dataKey: DataKey, log: (line: string) => void) {
  const settings = store.of(entities.letterSettings);
  const readKeys = () => settings.read().value;
  const isUpToDate = (keys: Keys) =>
    KEY_NAMES.every((name) => keys[name] !== "" && dataKey.isSealedAsConfigured(keys[name], name));
  if (!isUpToDate(readKeys())) {
    if (KEY_NAMES.some((name) => dataKey.unseal(readKeys()[name], name) === undefined))
      log(KEYS_REPLACED_MESSAGE);
    // Another instance may have created or encrypted the keys in the meantime.
    await settings.update((value) =>
      isUpToDate(value) ? value : { ...value, ...resealKeys(value, dataKey) },
    );
    // Earlier versions of the settings may contain unencrypted keys.
    await store.purgeOldVersions();
  }
  // The key is read at each use, since a restore may replace it. An empty key is refused: anybody could sign with it.
  const unsealKey = (name: keyof Keys) =>
    assertDefined(dataKey.unseal(readKeys()[name], name) || null, name);
  return {
    getLinkSecret: () => unsealKey("linkSecret"),
    /** Returns the password with which a mail provider sends its reports. */
    getReportKey: () => unsealKey("reportKey"),
  };
}

function resealKeys(keys: Keys, dataKey: DataKey): Keys {
  const sealKey = (name: keyof Keys) =>
    dataKey.seal(dataKey.unseal(keys[name], name) || createKey(), name);
  return { linkSecret: sealKey("linkSecret"), reportKey: sealKey("reportKey") };
}

const createKey = () =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");

const KEYS_REPLACED_MESSAGE =
  "DATA_KEY can't decrypt the keys for emailed links and providers' reports, so new ones were created: links in earlier emails no longer work. To keep the earlier keys, start with the DATA_KEY that encrypted them, and restore the backup again.";
