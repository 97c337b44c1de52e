/** Puts the sample content into a store, its pictures first, as an owner would have done by hand. */
import { initialValues } from "../../../schema/check.ts";
import { type Entity, entityNamed } from "../../../schema/index.ts";
import type { Store } from "../../storage/store.ts";
import type { UploadLibrary } from "../../uploads/uploadLibrary.ts";
import { fillForm } from "./fillForm.ts";
import { sampleContent, sampleSubscriptions } from "./sampleContent.ts";
import { samplePictures } from "./samplePictures.ts";

type Values = Record<string, unknown>;

/** Fills every section, the enquiry form, the mailing list; answers the number of pictures. */
export async function fillSite(store: Store, library: UploadLibrary, now: Date): Promise<number> {
  const urls = await uploadPictures(library);
  for (const [name, sample] of Object.entries(sampleContent)) {
    const entity = entityNamed(name);
    if (entity) await fill(store, entity, withAddresses(sample, urls), now);
  }
  await fillForm(store, now);
  const subscriptions = store.records<Values & { id: string }, unknown>("email-subscriptions");
  for (const sample of sampleSubscriptions(now).toReversed()) {
    await subscriptions.insert({ id: Bun.randomUUIDv7(), ...sample } as Values & { id: string });
  }
  return urls.size;
}

async function uploadPictures(library: UploadLibrary): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  for (const [name, path] of Object.entries(samplePictures)) {
    urls.set(name, (await library.add(await Bun.file(path).bytes(), name)).url);
  }
  return urls;
}

/** The sample with the addresses of the uploads in the place of the pictures' file names. */
function withAddresses(sample: unknown, urls: ReadonlyMap<string, string>): unknown {
  const swap = (_key: string, value: unknown) =>
    typeof value === "string" ? (urls.get(value) ?? value) : value;
  return JSON.parse(JSON.stringify(sample), swap) as unknown;
}

async function fill(store: Store, entity: Entity, sample: unknown, now: Date): Promise<void> {
  const initial = initialValues(entity.fields);
  const saved = "updatedAt" in entity.fields ? { updatedAt: now.toISOString() } : {};
  await store.document<unknown>(entity.name).update((current) =>
    Array.isArray(sample)
      ? sample.map((item: Values, order) => ({
          ...initial,
          order,
          ...item,
          id: Bun.randomUUIDv7(),
        }))
      : { ...(current as Values), ...(sample as Values), ...saved },
  );
}
