/** `limelight demo`: fills an empty site with sample content and pictures. */
import { initialValues } from "../../schema/check.ts";
import type { Collection, Singleton, StoredItem } from "../../schema/entity.ts";
import { allEntities, entities, type Entity, entityNamed } from "../../schema/index.ts";
import type { Config } from "../shared/config.ts";
import { wrongUsage } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";
import type { UploadLibrary } from "../uploads/uploadLibrary.ts";
import { type Command, say } from "./command.ts";
import { sampleContent } from "./demo/sampleContent.ts";
import { sampleEnquiryForm } from "./demo/sampleEnquiryForm.ts";
import { sampleFrames, samplePictures, sampleWords } from "./demo/samplePictures.ts";
import { sampleSubmissions, sampleSubscriptions } from "./demo/sampleVisitors.ts";
import { openSite } from "./openSite.ts";

export const demo: Command = {
  name: "demo",
  summary: "fills an empty site with sample content and pictures",
  run: fillEmptySite,
};

async function fillEmptySite(config: Config): Promise<number> {
  const { store, library, close } = await openSite(config, say);
  try {
    if (!(await isEmpty(store))) {
      throw wrongUsage("This site already has content. Sample content is for empty sites only.");
    }
    const pictures = await fillSite(store, library, new Date());
    say(`The site now has sample content and ${pictures} pictures. Start it with: limelight serve`);
  } finally {
    await close();
  }
  return 0;
}

/**
 * Nothing was written since the first start, the owner's account and the site's name aside: neither would what
 * is replaced come back by itself, nor could invented visitors be told from real ones.
 */
export async function isEmpty(store: Store): Promise<boolean> {
  const areEmpty = allEntities.map(async (entity) => {
    if (entity.shape === "collection")
      return !isShown(entity) || store.of(entity).read().value.length === 0;
    if (entity.shape === "singleton")
      return !Object.hasOwn(sampleContent, entity.name) || isAsDeclared(store, entity);
    return !FROM_VISITORS.has(entity) || (await store.of(entity).count()) === 0;
  });
  return (await Promise.all(areEmpty)).every(Boolean);
}

const isShown = (entity: Entity) => entity.readers === "everyone" || entity === entities.uploads;

/** What visitors have sent, which the samples are added to. */
const FROM_VISITORS = new Set<Entity>([entities.formSubmissions, entities.emailSubscriptions]);

/** The moment of a save says nothing, nor does the site's name, which the setup asks for. */
function isAsDeclared(store: Store, entity: Singleton): boolean {
  const { value } = store.of(entity).read();
  const aside = new Set(["updatedAt", ...(entity === entities.site ? ["name"] : [])]);
  return Object.entries(initialValues(entity.fields)).every(
    ([key, initial]) => aside.has(key) || Bun.deepEquals((value as Values)[key], initial),
  );
}

type Values = Record<string, unknown>;

/**
 * Fills every section, the enquiry form and the mailing list, the pictures first, as an owner would
 * have done by hand. Returns the number of pictures.
 */
async function fillSite(store: Store, library: UploadLibrary, now: Date): Promise<number> {
  const urls = await uploadPictures(library);
  for (const [name, sample] of Object.entries(sampleContent)) {
    const entity = entityNamed(name);
    if (entity) await fill(store, entity, withAddresses(sample, urls), now);
  }
  await fillForm(store, now);
  const subscriptions = store.of(entities.emailSubscriptions);
  for (const sample of sampleSubscriptions(now).toReversed()) {
    await subscriptions.insert({ id: Bun.randomUUIDv7(), ...sample });
  }
  return urls.size;
}

async function uploadPictures(library: UploadLibrary): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  for (const [name, path] of Object.entries(samplePictures)) {
    const alt = sampleWords[name];
    const words = alt ? { alt, ...sampleFrames[name] } : { decorative: true };
    urls.set(
      name,
      (await library.add(await Bun.file(path).bytes(), name, { words: () => words })).url,
    );
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
  if (entity.shape === "records") throw new Error(`${entity.name} has no sample content.`);
  await store.of(entity).update((current) =>
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

/** A question of the sample form: the id it was stored with, and its key in the samples. */
type Asked = { id: string; key: string; label: string; type: string };

/** Stores the form, its steps and fields, and the sample submissions, oldest first. */
async function fillForm(store: Store, now: Date): Promise<void> {
  const { steps, ...form } = sampleEnquiryForm;
  const formId = Bun.randomUUIDv7();
  const asked: Asked[] = [];
  await append(store, entities.forms, {
    ...initialValues(entities.forms.fields),
    ...form,
    redirectUrl: null,
    id: formId,
    createdAt: now.toISOString(),
  });
  for (const { fields, ...step } of steps) {
    const stepId = Bun.randomUUIDv7();
    await append(store, entities.formSteps, {
      ...initialValues(entities.formSteps.fields),
      ...step,
      id: stepId,
      formId,
    });
    for (const { key, ...field } of fields as readonly (Values & { key: string })[]) {
      const stored = {
        ...initialValues(entities.formFields.fields),
        ...field,
        id: Bun.randomUUIDv7(),
        stepId,
      };
      asked.push({
        id: stored.id,
        key,
        label: String(field["label"]),
        type: String(field["fieldType"]),
      });
      await append(store, entities.formFields, stored);
    }
  }
  await fillSubmissions(store, formId, asked, now);
}

async function append(store: Store, entity: Collection, item: StoredItem): Promise<void> {
  await store.of(entity).update((items) => [...items, item]);
}

async function fillSubmissions(
  store: Store,
  formId: string,
  asked: Asked[],
  now: Date,
): Promise<void> {
  const submissions = store.of(entities.formSubmissions);
  for (const { answers, ...sample } of sampleSubmissions(now).toReversed()) {
    const questions = asked.flatMap(({ key, ...question }) => {
      const answer = answers[key];
      return answer === undefined ? [] : [{ ...question, answer }];
    });
    await submissions.insert({
      ...sample,
      id: Bun.randomUUIDv7(),
      formId,
      submittedAt: sample.createdAt,
      questions,
      about: null,
      stage: "",
      remindOn: null,
      booked: null,
      callsUntil: null,
      replies: [],
      notes: [],
    });
  }
}
