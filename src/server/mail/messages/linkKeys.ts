/** The keys of links in messages and of mail providers' reports: made once, sealed by DATA_KEY if there is one. */
import { entities, type Item } from "../../../schema/index.ts";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { DataKey } from "../../shared/dataKey.ts";
import type { Store } from "../../storage/store.ts";

type Keys = Pick<Item<"letterSettings">, (typeof NAMES)[number]>;

const NAMES = ["linkSecret", "reportKey"] as const;

export type LinkKeys = Awaited<ReturnType<typeof openLinkKeys>>;

/** Makes missing keys, and seals them as DATA_KEY demands. Those that it doesn't open are replaced, and it is logged. */
export async function openLinkKeys(store: Store, dataKey: DataKey, log: (line: string) => void) {
  const settings = store.of(entities.letterSettings);
  const readKeys = () => settings.read().value;
  const isUpToDate = (keys: Keys) =>
    NAMES.every((name) => keys[name] !== "" && dataKey.isSealedAsConfigured(keys[name], name));
  if (!isUpToDate(readKeys())) {
    if (NAMES.some((name) => dataKey.unseal(readKeys()[name], name) === undefined)) log(REPLACED);
    // Another instance may have made or sealed them in the meantime.
    await settings.update((value) =>
      isUpToDate(value) ? value : { ...value, ...resealKeys(value, dataKey) },
    );
    // Before the site is served, no file holds an unsealed one.
    await store.purgeOldVersions();
  }
  // Read at each use, since restoring a backup may replace them. An empty one would sign for everybody.
  const unsealKey = (name: keyof Keys) =>
    assertDefined(dataKey.unseal(readKeys()[name], name) || null, name);
  return {
    /** Signs the links in messages. */
    linkSecret: () => unsealKey("linkSecret"),
    /** The password that a mail provider reports with. */
    reportKey: () => unsealKey("reportKey"),
  };
}

function resealKeys(keys: Keys, dataKey: DataKey): Keys {
  const sealKey = (name: keyof Keys) =>
    dataKey.seal(dataKey.unseal(keys[name], name) || newKey(), name);
  return { linkSecret: sealKey("linkSecret"), reportKey: sealKey("reportKey") };
}

const newKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");

const REPLACED =
  "DATA_KEY can't decrypt the keys of emailed links and reports, so new ones were created: links in earlier emails no longer work. To keep the earlier keys, start with the key that encrypted them, and restore the backup again.";
