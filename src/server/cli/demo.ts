/** `limelight demo`: serves a sample site from its own folder, or with `--fill` adds the samples to an empty site. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import * as v from "valibot";
import {
  checkChange,
  type CheckResult,
  checkNewItem,
  getInitialValues,
  createItemSchema,
} from "../../schema/entities/check.ts";
import {
  type Collection,
  type AnyRecords,
  type Singleton,
  type StoredItem,
} from "../../schema/entities/entity.ts";
import { allEntities, entities, type Entity, findEntityByName } from "../../schema/index.ts";
import { createPasswords } from "../accounts/passwords.ts";
import { createUser, type UserContext, resetPassword, listUsers } from "../accounts/users.ts";
import { type Config, readConfig } from "../shared/config.ts";
import { cannotOpen, wrongUsage } from "../shared/errors.ts";
import { DAY } from "../shared/time.ts";
import type { Store } from "../storage/store.ts";
import type { UploadLibrary } from "../uploads/uploadLibrary.ts";
import { type Command, printLine } from "./command.ts";
import {
  sampleContent,
  sampleForm,
  samplePictures,
  type SampleQuestion,
  sampleVisitors,
} from "./demo/samples.ts";
import { openSite } from "./openSite.ts";

export const demoCommand: Command = {
  name: "demo",
  usage: "[--fill]",
  summary:
    "serves a sample site from its own folder and shows how to log in; --fill adds the sample content to the configured site instead, if it is empty",
  flags: { "--fill": "switch" },
  async run(config, _args, flags) {
    return flags.has("--fill") ? fillEmptySite(config) : serveSampleSite(config);
  },
};

async function fillEmptySite(config: Config): Promise<number> {
  const { store, library, close } = await openSite(config, printLine);
  try {
    if (!(await isSiteEmpty(store))) {
      throw wrongUsage(
        "This site already has content, and sample content is for empty sites only. For a separate sample site: limelight demo --port 3001",
      );
    }
    const pictures = await fillSite(store, library, new Date());
    printLine(
      `The site now has sample content and ${pictures} pictures. Start it with: limelight serve`,
    );
  } finally {
    await close();
  }
  return 0;
}

/**
 * Whether a site is empty, apart from accounts and its name. On any other site, samples would overwrite content, and
 * nobody could tell invented visitors from real ones.
 */
export async function isSiteEmpty(store: Store): Promise<boolean> {
  const checks = allEntities.map(async (entity) => {
    if (entity.shape === "collection")
      return !isVisibleEntity(entity) || store.of(entity).read().value.length === 0;
    if (entity.shape === "singleton")
      return !Object.hasOwn(sampleContent, entity.name) || hasDefaultValue(store, entity);
    return !VISITOR_ENTITIES.has(entity) || (await store.of(entity).count()) === 0;
  });
  return (await Promise.all(checks)).every(Boolean);
}

const isVisibleEntity = (entity: Entity) =>
  entity.readers === "everyone" || entity === entities.uploads;

const VISITOR_ENTITIES = new Set<Entity>([entities.formSubmissions, entities.emailSubscriptions]);

/** Whether a singleton has its default values. The site's name is ignored, since setup asks for it. */
function hasDefaultValue(store: Store, entity: Singleton): boolean {
  const { value } = store.of(entity).read();
  const ignoredKeys = new Set(["updatedAt", ...(entity === entities.site ? ["name"] : [])]);
  return Object.entries(getInitialValues(entity.fields)).every(
    ([key, initial]) => ignoredKeys.has(key) || Bun.deepEquals((value as Values)[key], initial),
  );
}

type Values = Record<string, unknown>;

const SAMPLE_USER_AGENT = "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/149.0 Mobile";

const DEMO_USERNAME = "demo";

async function serveSampleSite(config: Config): Promise<undefined> {
  const folder = join(config.siteDir, "limelight-demo");
  // A new password at every start, since everybody would know a fixed one.
  const password = randomBytes(8).toString("hex");
  const demoConfig = createDemoConfig(config, folder);
  const login = await prepareSite(demoConfig, password);
  const { serveUntilSignal } = await import("./serve.ts");
  const address = await serveUntilSignal(demoConfig);
  printLine(`Log in at ${address}/admin as "${login}" with the password "${password}"`);
  printLine(
    `The sample site is stored in ${folder}. To start over, stop this program and delete that folder.`,
  );
}

/** Returns the settings of the sample site, which has no domain, database or bucket. */
function createDemoConfig({ host, port, domain }: Config, folder: string): Config {
  const listenFlags = domain ? [] : ["--host", host, "--port", String(port)];
  return readConfig(["--site-dir", folder, ...listenFlags], {}).config;
}

/**
 * Creates the sample site, or resets its owner's password. Returns the owner's username. The owner is created last, so
 * pictures without an owner mean that the creation was interrupted.
 */
async function prepareSite(config: Config, password: string): Promise<string> {
  const { store, library, close } = await openSite(config, printLine);
  try {
    const context: UserContext = { store, passwords: createPasswords(), clock: Date.now };
    const [owner] = listUsers(store);
    if (owner) return (await resetPassword(context, owner.username, password)).username;
    if (library.list().length > 0) throw cannotOpen(createUnfinishedSiteMessage(config.siteDir));
    printLine("Creating the sample site. This takes a few seconds.");
    await fillSite(store, library, new Date());
    await createUser(context, { username: DEMO_USERNAME, email: "demo@example.com", password });
    return DEMO_USERNAME;
  } finally {
    await close();
  }
}

const createUnfinishedSiteMessage = (folder: string) =>
  `The sample site in ${folder} is unfinished, because its creation was interrupted. Delete that folder, then try again.`;

/** Adds all samples, and returns the number of pictures. Throws if a sample fails the checks of an owner's input. */
async function fillSite(store: Store, library: UploadLibrary, now: Date): Promise<number> {
  const urls = await uploadPictures(library);
  for (const [name, sample] of Object.entries(sampleContent)) {
    const entity = findEntityByName(name);
    const content = replaceFileNames(sample, urls);
    if (entity?.shape === "collection") await appendItems(store, entity, content as Values[], now);
    else if (entity?.shape === "singleton")
      await changeSingleton(store, entity, content as Values, now);
  }
  await fillForm(store, now);
  for (const { daysAgo, ...sample } of sampleVisitors.subscribers.toReversed())
    await insertRecord(store, entities.emailSubscriptions, {
      ...sample,
      userAgent: SAMPLE_USER_AGENT,
      subscribedAt: createTimestampDaysBefore(now, daysAgo),
    });
  return urls.size;
}

async function uploadPictures(library: UploadLibrary): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  for (const { name, path, fields } of samplePictures) {
    const picture = await library.addPicture(await Bun.file(path).bytes(), name, {
      createFields: () => fields,
    });
    urls.set(name, picture.url);
  }
  return urls;
}

function replaceFileNames(sample: unknown, urls: ReadonlyMap<string, string>): unknown {
  const replaceFileName = (_key: string, value: unknown) =>
    typeof value === "string" ? (urls.get(value) ?? value) : value;
  return JSON.parse(JSON.stringify(sample), replaceFileName) as unknown;
}

async function fillForm(store: Store, now: Date): Promise<void> {
  const { steps, ...form } = sampleForm;
  for (const { id: formId } of await appendItems(store, entities.forms, [form], now)) {
    const storedQuestions: StoredQuestion[] = [];
    const formSteps = steps.map((step) => ({ ...step, formId }));
    for (const step of await appendItems(store, entities.formSteps, formSteps, now)) {
      const fields = step.fields.map((field) => ({ ...field, stepId: step.id }));
      storedQuestions.push(...(await appendItems(store, entities.formFields, fields, now)));
    }
    await fillEnquiries(store, formId, storedQuestions, now);
  }
}

type StoredQuestion = Pick<SampleQuestion, "key" | "label" | "fieldType"> & { readonly id: string };

async function fillEnquiries(
  store: Store,
  formId: string,
  storedQuestions: readonly StoredQuestion[],
  now: Date,
) {
  // The samples are listed newest first, but records are inserted oldest first.
  for (const { daysAgo, answers, ...sample } of sampleVisitors.enquiries.toReversed()) {
    const questions = storedQuestions.flatMap(({ id, key, label, fieldType: type }) => {
      const answer = answers[key];
      return answer === undefined ? [] : [{ id, label, type, answer }];
    });
    const createdAt = createTimestampDaysBefore(now, daysAgo);
    const timestamps = { createdAt, submittedAt: createdAt };
    const enquiry = { ...sample, ...timestamps, formId, questions, userAgent: SAMPLE_USER_AGENT };
    await insertRecord(store, entities.formSubmissions, enquiry);
  }
}

async function appendItems<S extends Values>(
  store: Store,
  entity: Collection,
  samples: readonly S[],
  now: Date,
): Promise<(S & { id: string })[]> {
  const { arrangement, fields } = entity;
  const createdField = "createdAt" in fields ? { createdAt: now.toISOString() } : {};
  const newItems = samples.map((sample) => ({ ...sample, id: Bun.randomUUIDv7() }));
  await store.of(entity).update((items) => [
    ...items,
    ...newItems.map(({ id, ...sample }, index): StoredItem => {
      const position = arrangement && { [arrangement.field]: arrangement.firstPosition + index };
      const values = assertAccepted(entity, checkNewItem(entity, sample));
      return { ...getInitialValues(fields), ...values, ...position, ...createdField, id };
    }),
  ]);
  return newItems;
}

async function changeSingleton(store: Store, entity: Singleton, sample: Values, now: Date) {
  const values = assertAccepted(entity, checkChange(entity, sample));
  const updatedField = "updatedAt" in entity.fields ? { updatedAt: now.toISOString() } : {};
  await store
    .of(entity)
    .update((current) => ({ ...(current as Values), ...values, ...updatedField }));
}

async function insertRecord(store: Store, entity: AnyRecords, sample: Values): Promise<void> {
  const record = { ...getInitialValues(entity.fields), ...sample, id: Bun.randomUUIDv7() };
  await store.of(entity).insert(v.parse(createItemSchema(entity), record) as StoredItem);
}

function assertAccepted({ name }: Entity, result: CheckResult): Values {
  if (!result.ok) throw new Error(`Sample of ${name}: ${result.error}`);
  return result.values;
}

/** Returns an ISO timestamp. `days` may be a fraction. */
const createTimestampDaysBefore = (now: Date, days: number) =>
  new Date(now.getTime() - Math.round(days * DAY)).toISOString();
