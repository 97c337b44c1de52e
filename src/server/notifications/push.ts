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
  createEnquirySummary,
  SUBMISSION_DELETED_MESSAGE,
  findEmail,
  SUBMISSIONS_PATH,
  findName,
  enquiryPath,
} from "../mail/messages/ownerMessages.ts";
import {
  encryptPushMessage,
  createVapidKeys,
  createVapidHeader,
  type VapidKeys,
} from "./pushCrypto.ts";
import { createHourlyLimitedListener, overflowIds } from "./hourlyLimit.ts";

type Device = Item<"pushDevices">;
type Submission = Item<"formSubmissions">;

/** A time was chosen, or none suits. */
type BookingNotification = "booked" | "declined";

const BOOKING_TITLES = { booked: "Call booked", declined: "None of your times work" } as const;

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

export class PushNotifications {
  readonly carrier: Carrier;
  readonly createMessages: EnquiryListener;
  readonly #context: PushContext;
  readonly #listDevices: HandleOf<typeof entities.pushDevices>;

  constructor(context: PushContext) {
    this.#context = context;
    this.#listDevices = context.store.of(entities.pushDevices);
    this.carrier = {
      createSender: () => (context.sends ? (message) => this.#deliver(message) : undefined),
      minIntervalMs: () => 0,
      recipientName: (id) => this.#findDevice(id)?.name ?? "a device",
    };
    this.createMessages = createHourlyLimitedListener(context, {
      kind: "push",
      recipients: () => this.#reachableDevices().map(({ id }) => id),
      // Erasures find messages about a person by `replyTo`.
      single: ({ questions }, to) => ({
        ...createPushMessage(to, "New submission"),
        replyTo: findEmail(questions),
      }),
      rest: () => ({ kind: "push", subject: "More submissions" }),
    });
  }

  get canCallInternal(): boolean {
    return this.#context.mayBeInside;
  }

  /** The public key of the site, which browsers subscribe with; made on the first call. */
  async key(): Promise<string> {
    return (await this.#getKeys()).publicKey;
  }

  devices(userId: string): PushDevice[] {
    return this.#allDevices()
      .filter((each) => each.userId === userId)
      .map(toDeviceResponse);
  }

  /** Adds a device or updates its keys, and notifies it. */
  async addDevice(device: Omit<Device, "id" | "createdAt">): Promise<void> {
    const id = Bun.randomUUIDv7();
    const createdAt = isoTime(this.#context.clock);
    await this.#listDevices.update((list) => [
      ...list
        .filter(({ endpoint }) => endpoint !== device.endpoint)
        .filter((each) => each.userId !== device.userId || each.key === device.key)
        .filter(
          (each, at, all) =>
            each.userId !== device.userId || all.length - at < MAX_DEVICES_PER_OWNER,
        ),
      { ...device, id, createdAt },
    ]);
    await this.#context.outbox.add(createPushMessage(id, WELCOME_CONTENT.title));
  }

  async removeDevice(userId: string, id: string): Promise<boolean> {
    let wasRemoved = false;
    await this.#listDevices.update((list) => {
      wasRemoved = list.some((each) => each.id === id && each.userId === userId);
      return list.filter((each) => each.id !== id || each.userId !== userId);
    });
    return wasRemoved;
  }

  /** Removes devices of users who are no longer owners. */
  async removeFormerOwners(): Promise<void> {
    if (!this.#allDevices().every(this.#belongsToOwner))
      await this.#listDevices.update((list) => list.filter(this.#belongsToOwner));
  }

  /** Names of devices that can't be notified until they are added again. */
  lostDeviceNames(): readonly string[] {
    return this.#allDevices()
      .filter((device) => this.#belongsToOwner(device) && !this.#usesCurrentKey(device))
      .map(({ name }) => name);
  }

  /** Notifies every device of something other than an enquiry; `about`: the id of its subject. */
  createNotifications(content: PushContent, about: string): readonly NewMessage[] {
    const text = shortenContent(content);
    return this.#reachableDevices().map(({ id }) => ({
      ...createPushMessage(id, content.title),
      text,
      about,
    }));
  }

  /** Notifications about an answer to suggested times, once per reply; doesn't store them. */
  readonly createBookingNotifications = (
    event: BookingNotification,
    submission: Submission,
    reply: string,
  ): NewMessage[] =>
    this.#reachableDevices().map(({ id }) => ({
      ...createPushMessage(id, BOOKING_TITLES[event]),
      replyTo: findEmail(submission.questions),
      about: `${event} ${reply} ${submission.id}`,
      isOnce: true,
    }));

  readonly #allDevices = () => this.#listDevices.read().value;
  readonly #findDevice = (id: string) => this.#allDevices().find((each) => each.id === id);

  // Written on sending, so that nothing a visitor typed is stored here too.
  /** A device's notification. */
  readonly renderNotification: MessageRenderer = async (written) => {
    const { id, subject, text } = written;
    const content = text === "" ? await this.#readContent(written) : JSON.parse(text);
    return { subject, text: JSON.stringify({ ...content, tag: id }), html: "" };
  };

  async #readContent(written: StoredMessage): Promise<PushContent> {
    const { about, subject } = written;
    if (about === null) return WELCOME_CONTENT;
    const rest = await overflowIds(this.#context.store, written);
    if (rest === undefined) return this.#createNewsContent(about, subject);
    if (rest.size === 0) throw new NothingToSend(SUBMISSION_DELETED_MESSAGE);
    return {
      title: subject,
      body: `${rest.size} more arrived within an hour`,
      link: SUBMISSIONS_PATH,
    };
  }

  /** `about` ends with the enquiry's id. */
  async #createNewsContent(about: string, title: string) {
    const submission = await this.#context.store
      .of(entities.formSubmissions)
      .get(about.replace(/^.* /, ""));
    if (!submission) throw new NothingToSend(SUBMISSION_DELETED_MESSAGE);
    const { formName, questions } = createEnquirySummary(this.#context.store, submission);
    const senderName = (findName(questions) ?? findEmail(questions) ?? "Someone").slice(0, 100);
    const { booked } = submission;
    const time =
      title === BOOKING_TITLES.booked && booked
        ? formatDateTime(callStart(booked), booked.zone, "en", this.#context.clock())
        : formName;
    return { title, body: `${senderName}, ${time}`, link: enquiryPath(submission) };
  }

  async #deliver({ to, text }: OutgoingMessage): Promise<void> {
    const device = this.#findDevice(to);
    if (!device || !this.#belongsToOwner(device) || !this.#usesCurrentKey(device))
      throw new NothingToSend(DEVICE_REMOVED_MESSAGE);
    const url = new URL(device.endpoint);
    const [owner = "owner@localhost"] = this.#context.owners();
    const { siteUrl } = this.#context.stationery();
    const subject = siteUrl?.startsWith("https:") ? siteUrl : `mailto:${owner}`;
    const { status, responseText: body } = await postExternally({
      url,
      canUsePrivateNetwork: this.#context.mayBeInside,
      ended: this.#context.ended,
      body: encryptPushMessage(device, text),
      headers: {
        authorization: createVapidHeader(
          await this.#getKeys(),
          url,
          subject,
          this.#context.clock(),
        ),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(PUSH_TTL_S),
        urgency: "high",
      },
    });
    if (status >= 200 && status < 300) return;
    // RFC 8030, 7.3: the subscription was permanently deleted.
    if (status === 404 || status === 410) {
      await this.#listDevices.update((list) => list.filter(({ id }) => id !== to));
      throw new DeliveryError("recipient", DEVICE_EXPIRED_MESSAGE, body || null, true);
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
  readonly #belongsToOwner = ({ userId }: Device) =>
    isOwner(this.#context.store.of(entities.users).read().value, userId);

  /** Made once, and again if unreadable: earlier devices don't have the new ones. */
  async #getKeys(): Promise<VapidKeys> {
    const now = this.#openVapidKeys();
    if (now) return now;
    const made = createVapidKeys();
    const pushKeys = {
      publicKey: made.publicKey,
      sealedPrivateKey: this.#context.seal.seal(made.privateKey),
    };
    await this.#context.settings.update((value) =>
      this.#openVapidKeys() ? value : { ...value, pushKeys },
    );
    return assertDefined(this.#openVapidKeys(), "key for push messages");
  }

  /** Whether a device subscribed with the site's current key, so that it can be notified. */
  readonly #usesCurrentKey = ({ key }: Device) => key === this.#openVapidKeys()?.publicKey;

  #openVapidKeys(): VapidKeys | undefined {
    const { pushKeys } = this.#context.settings.read().value;
    const privateKey = pushKeys && this.#context.seal.unseal(pushKeys.sealedPrivateKey);
    return privateKey ? { publicKey: pushKeys.publicKey, privateKey } : undefined;
  }

  /** Devices that can be notified now. */
  readonly #reachableDevices = () =>
    this.#listDevices
      .read()
      .value.filter((each) => this.#belongsToOwner(each) && this.#usesCurrentKey(each));
}

const createPushMessage = (to: string, subject: string) =>
  ({ kind: "push", to, subject, text: "", html: "" }) as const;

/** Phones show only this much of it. */
const shortenContent = ({ title, body, link }: PushContent) =>
  JSON.stringify({ title: title.slice(0, 100), body: body.slice(0, 100), link });

const WELCOME_CONTENT = {
  title: "Notifications are on",
  body: "You'll be notified of new submissions here.",
  link: SUBMISSIONS_PATH,
} as const;

/** Only its browser needs the endpoint; a hash of it lets that browser recognize its own entry. */
const toDeviceResponse = ({ id, name, createdAt, endpoint }: Device): PushDevice => ({
  id,
  name,
  createdAt: createdAt ?? "",
  mark: new Bun.CryptoHasher("sha256").update(endpoint).digest("hex"),
});

const DEVICE_REMOVED_MESSAGE = "The device was removed, so it wasn't notified.";
const DEVICE_EXPIRED_MESSAGE = "The device no longer accepts notifications, so it was removed.";
