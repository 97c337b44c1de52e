/** New enquiries on the owners' devices: web push, through the mail's outbox. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { entities, type Item } from "../../schema/index.ts";
import { isOwner } from "../../schema/core/roles.ts";
import type { PushDevice } from "../../schema/api/mailResponses.ts";
import { callStart } from "../shared/callTimes.ts";
import { isoTime } from "../shared/clock.ts";
import type { HandleOf } from "../storage/store.ts";
import type { OutgoingMessage } from "../shared/message.ts";
import { formatDateTime } from "../shared/formatCall.ts";
import type { CarrierContext, EnquiryListener } from "./listener.ts";
import { DeliveryError, NothingToSend } from "../mail/carriers/deliveryError.ts";
import { postExternally } from "./externalRequest.ts";
import type { Carrier, StoredMessage, MessageRenderer } from "../mail/queue/kinds.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import {
  enquirySummary,
  SUBMISSION_DELETED,
  findEmail,
  SUBMISSIONS_PATH,
  findName,
  pathOf,
} from "../mail/messages/ownerMessages.ts";
import { encryptPushMessage, newVapidKeys, vapidHeader, type VapidKeys } from "./pushCrypto.ts";
import { limitedPerHour, restOf } from "./hourlyLimit.ts";

type Device = Item<"pushDevices">;
type Submission = Item<"formSubmissions">;

/** A time was chosen, or none suits. */
type BookingNotification = "booked" | "declined";

const TIMES_NEWS = { booked: "Call booked", declined: "None of your times work" } as const;

/** A notification; `link` is where a press leads. */
interface PushContent {
  readonly title: string;
  readonly body: string;
  readonly link: string;
}

interface PushContext extends CarrierContext {
  readonly owners: () => readonly string[];
}

/** The time for which a push service stores messages for a device that is off, in seconds. */
const PUSH_TTL_S = 24 * 60 * 60;
/** Per owner. */
const MAX_DEVICES_PER_OWNER = 20;

export class Push {
  readonly carrier: Carrier;
  readonly messages: EnquiryListener;
  readonly #context: PushContext;
  readonly #devices: HandleOf<typeof entities.pushDevices>;

  constructor(context: PushContext) {
    this.#context = context;
    this.#devices = context.store.of(entities.pushDevices);
    this.carrier = {
      send: () => (context.sends ? (message) => this.#deliver(message) : undefined),
      pace: () => 0,
      nameOf: (id) => this.#deviceOf(id)?.name ?? "a device",
    };
    this.messages = limitedPerHour(context, {
      kind: "push",
      recipients: () => this.#reachable().map(({ id }) => id),
      // Erasures find messages about a person by `replyTo`.
      single: ({ questions }, to) => ({
        ...message(to, "New submission"),
        replyTo: findEmail(questions),
      }),
      rest: () => ({ kind: "push", subject: "More submissions" }),
    });
  }

  get mayBeInside(): boolean {
    return this.#context.mayBeInside;
  }

  /** The public key of the site, which browsers subscribe with; made on the first call. */
  async key(): Promise<string> {
    return (await this.#keys()).publicKey;
  }

  devices(userId: string): PushDevice[] {
    return this.#all()
      .filter((each) => each.userId === userId)
      .map(shown);
  }

  /** Adds a device or updates its keys, and notifies it. */
  async add(device: Omit<Device, "id" | "createdAt">): Promise<void> {
    const id = Bun.randomUUIDv7();
    const createdAt = isoTime(this.#context.clock);
    await this.#devices.update((list) => [
      ...list
        .filter(({ endpoint }) => endpoint !== device.endpoint)
        .filter((each) => each.userId !== device.userId || each.key === device.key)
        .filter(
          (each, at, all) =>
            each.userId !== device.userId || all.length - at < MAX_DEVICES_PER_OWNER,
        ),
      { ...device, id, createdAt },
    ]);
    await this.#context.outbox.add(message(id, WELCOME.title));
  }

  async remove(userId: string, id: string): Promise<boolean> {
    let wasRemoved = false;
    await this.#devices.update((list) => {
      wasRemoved = list.some((each) => each.id === id && each.userId === userId);
      return list.filter((each) => each.id !== id || each.userId !== userId);
    });
    return wasRemoved;
  }

  /** Removes devices of users who are no longer owners. */
  async check(): Promise<void> {
    if (!this.#all().every(this.#isOwners))
      await this.#devices.update((list) => list.filter(this.#isOwners));
  }

  /** Names of devices that can't be notified until they are added again. */
  lostDevices(): readonly string[] {
    return this.#all()
      .filter((device) => this.#isOwners(device) && !this.#usesCurrentKey(device))
      .map(({ name }) => name);
  }

  /** Notifies every device of something other than an enquiry; `about`: the id of its subject. */
  notify(content: PushContent, about: string): readonly NewMessage[] {
    const text = shortenContent(content);
    return this.#reachable().map(({ id }) => ({ ...message(id, content.title), text, about }));
  }

  /** Notifications about an answer to suggested times, once per reply; doesn't store them. */
  readonly bookingNotifications = (
    event: BookingNotification,
    submission: Submission,
    reply: string,
  ): NewMessage[] =>
    this.#reachable().map(({ id }) => ({
      ...message(id, TIMES_NEWS[event]),
      replyTo: findEmail(submission.questions),
      about: `${event} ${reply} ${submission.id}`,
      isOnce: true,
    }));

  readonly #all = () => this.#devices.read().value;
  readonly #deviceOf = (id: string) => this.#all().find((each) => each.id === id);

  // Written on sending, so that nothing a visitor typed is stored here too.
  /** A device's notification. */
  readonly write: MessageRenderer = async (written) => {
    const { id, subject, text } = written;
    const content = text === "" ? await this.#contentOf(written) : JSON.parse(text);
    return { subject, text: JSON.stringify({ ...content, tag: id }), html: "" };
  };

  async #contentOf(written: StoredMessage): Promise<PushContent> {
    const { about, subject } = written;
    if (about === null) return WELCOME;
    const rest = await restOf(this.#context.store, written);
    if (rest === undefined) return this.#newsContent(about, subject);
    if (rest.size === 0) throw new NothingToSend(SUBMISSION_DELETED);
    return {
      title: subject,
      body: `${rest.size} more arrived within an hour`,
      link: SUBMISSIONS_PATH,
    };
  }

  /** `about` ends with the enquiry's id. */
  async #newsContent(about: string, title: string) {
    const submission = await this.#context.store
      .of(entities.formSubmissions)
      .get(about.replace(/^.* /, ""));
    if (!submission) throw new NothingToSend(SUBMISSION_DELETED);
    const { formName, questions } = enquirySummary(this.#context.store, submission);
    const senderName = (findName(questions) ?? findEmail(questions) ?? "Someone").slice(0, 100);
    const { booked } = submission;
    const time =
      title === TIMES_NEWS.booked && booked
        ? formatDateTime(callStart(booked), booked.zone, "en", this.#context.clock())
        : formName;
    return { title, body: `${senderName}, ${time}`, link: pathOf(submission) };
  }

  async #deliver({ to, text }: OutgoingMessage): Promise<void> {
    const device = this.#deviceOf(to);
    if (!device || !this.#isOwners(device) || !this.#usesCurrentKey(device))
      throw new NothingToSend(ENDED);
    const url = new URL(device.endpoint);
    const [owner = "owner@localhost"] = this.#context.owners();
    const { siteUrl } = this.#context.stationery();
    const subject = siteUrl?.startsWith("https:") ? siteUrl : `mailto:${owner}`;
    const { status, responseText: body } = await postExternally({
      url,
      allowPrivateNetwork: this.#context.mayBeInside,
      ended: this.#context.ended,
      body: encryptPushMessage(device, text),
      headers: {
        authorization: vapidHeader(await this.#keys(), url, subject, this.#context.clock()),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(PUSH_TTL_S),
        urgency: "high",
      },
    });
    if (status >= 200 && status < 300) return;
    // RFC 8030, 7.3: the subscription was permanently deleted.
    if (status === 404 || status === 410) {
      await this.#devices.update((list) => list.filter(({ id }) => id !== to));
      throw new DeliveryError("recipient", REMOVED, body || null, true);
    }
    const isLater = status === 429 || status >= 500;
    throw new DeliveryError(
      "recipient",
      `The push service responded with ${status}.`,
      body || null,
      !isLater,
    );
  }

  /** Devices of removed users or former owners get nothing more. */
  readonly #isOwners = ({ userId }: Device) =>
    isOwner(this.#context.store.of(entities.users).read().value, userId);

  /** Made once, and again if unreadable: earlier devices don't have the new ones. */
  async #keys(): Promise<VapidKeys> {
    const now = this.#vapidKeys();
    if (now) return now;
    const made = newVapidKeys();
    const pushKeys = {
      publicKey: made.publicKey,
      sealedPrivateKey: this.#context.seal.seal(made.privateKey),
    };
    await this.#context.settings.update((value) =>
      this.#vapidKeys() ? value : { ...value, pushKeys },
    );
    return assertDefined(this.#vapidKeys(), "key for push messages");
  }

  /** Whether a device subscribed with the site's current key, so that it can be notified. */
  readonly #usesCurrentKey = ({ key }: Device) => key === this.#vapidKeys()?.publicKey;

  #vapidKeys(): VapidKeys | undefined {
    const { pushKeys } = this.#context.settings.read().value;
    const privateKey = pushKeys && this.#context.seal.unseal(pushKeys.sealedPrivateKey);
    return privateKey ? { publicKey: pushKeys.publicKey, privateKey } : undefined;
  }

  /** Devices that can be notified now. */
  readonly #reachable = () =>
    this.#devices.read().value.filter((each) => this.#isOwners(each) && this.#usesCurrentKey(each));
}

const message = (to: string, subject: string) =>
  ({ kind: "push", to, subject, text: "", html: "" }) as const;

/** Phones show only this much of it. */
const shortenContent = ({ title, body, link }: PushContent) =>
  JSON.stringify({ title: title.slice(0, 100), body: body.slice(0, 100), link });

const WELCOME = {
  title: "Notifications are on",
  body: "You'll be notified of new submissions here.",
  link: SUBMISSIONS_PATH,
} as const;

/** Only its browser needs the endpoint; a hash of it lets that browser recognize its own entry. */
const shown = ({ id, name, createdAt, endpoint }: Device): PushDevice => ({
  id,
  name,
  createdAt: createdAt ?? "",
  mark: new Bun.CryptoHasher("sha256").update(endpoint).digest("hex"),
});

const ENDED = "The device was removed, so it wasn't notified.";
const REMOVED = "The device no longer accepts notifications, so it was removed.";
