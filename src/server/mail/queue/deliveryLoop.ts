/** Sends the due messages of one transport one after another, in the order in which they were queued. */
import { entities } from "../../../schema/index.ts";
import type { Clocks } from "../../shared/clock.ts";
import { type ShouldContinue, type PeriodicJob, startSiteJob } from "../../shared/periodicJob.ts";
import type { HandleOf, Store } from "../../storage/store.ts";
import { recordFailedAttempt, type SentMessageRecorder } from "./attempts.ts";
import { DeliveryAbortedError, DeliveryError } from "../transports/deliveryError.ts";
import type { SendMessage } from "../transports/mailer.ts";
import { createMessageHeaders } from "../transports/headers.ts";
import {
  type TransportName,
  getKindRules,
  type RenderedOnSendKind,
  type MessageHandlers,
  type StoredMessage,
} from "./messageKinds.ts";
import { DAY } from "../../shared/time.ts";

export interface DeliveryContext extends Clocks {
  readonly store: Store;
  readonly log: (line: string) => void;
}

interface DeliveryLoopContext extends DeliveryContext, MessageHandlers {
  readonly transport: TransportName;
  readonly sentRecorder: SentMessageRecorder;
}

const CHECK_INTERVAL_MS = 15_000;
const OTHER_INSTANCE_RETRY_MS = 1000;
/** The maximum duration of a run. The next run also sends messages that were queued in the meantime. */
const MAX_RUN_MS = 2000;
/** The age at which messages that were sent or have failed are deleted. */
const MESSAGE_RETENTION_MS = 90 * DAY;

/** Checks for due messages every 15 seconds and when `job.runNow` is called. Only one instance sends at a time. */
export class DeliveryLoop {
  readonly job: PeriodicJob;
  readonly #context: DeliveryLoopContext;
  readonly #messages: HandleOf<typeof entities.outbox>;
  #lastCleanupAt = 0;

  constructor(context: DeliveryLoopContext) {
    const { store, log, transport } = context;
    this.#context = context;
    this.#messages = store.of(entities.outbox);
    this.job = startSiteJob({
      store,
      name: transport === "mail" ? "outbox" : `outbox ${transport}`,
      intervalMs: CHECK_INTERVAL_MS,
      runOnce: (shouldContinue) => this.#sendMessages(shouldContinue),
      onError: () => log(QUEUE_UNREADABLE_MESSAGE),
      // Another instance is sending, but may have listed the due messages before this instance queued one.
      onSkipped: () => void setTimeout(this.job.runNow, OTHER_INSTANCE_RETRY_MS).unref(),
    });
  }

  get #transport() {
    return this.#context.transports[this.#context.transport];
  }

  readonly #readTrustedTime = () => (this.#context.trustedClock ?? this.#context.clock)();

  /** Sends a message and stores the result. Returns the failure, if any. */
  async #sendOne(
    message: StoredMessage,
    sendMessage: SendMessage,
  ): Promise<DeliveryError | undefined> {
    const { id, kind, headers } = message;
    try {
      // An expired message comes from an old backup, or waited during a long downtime. Nobody expects it anymore.
      if (this.#readTrustedTime() > message.expiresAt)
        throw new DeliveryError("connection", TOO_LATE_MESSAGE, null, true);
      // Builds before format 1 stored the text of these messages. A stored text is sent as it is.
      const content =
        getKindRules(kind).isRenderedOnSend &&
        message.html === "" &&
        (await this.#context.renderers[kind as RenderedOnSendKind](message));
      await sendMessage({ ...message, ...content, headers: createMessageHeaders(kind, headers) });
    } catch (error) {
      const deliveryError =
        error instanceof DeliveryError
          ? error
          : new DeliveryError("recipient", SEND_FAILED_MESSAGE);
      this.#context.log(`${kind} message ${id} was not sent: ${deliveryError.message}`);
      if (deliveryError instanceof DeliveryAbortedError) return deliveryError;
      await this.#messages.update(id, (current) =>
        recordFailedAttempt(current, deliveryError, this.#context.clock(), this.#readTrustedTime()),
      );
      return deliveryError;
    }
    await this.#context.sentRecorder.recordSent(id);
    return undefined;
  }

  async #findDueIds(): Promise<string[]> {
    const now = this.#context.clock();
    const where = { state: "waiting", nextAt: { upTo: now } } as const;
    return (await this.#messages.readKeys(where))
      .filter(({ kind }) => getKindRules(kind).transport === this.#context.transport)
      .map(({ id }) => id);
  }

  async #sendMessages(shouldContinue: ShouldContinue): Promise<void> {
    // After the disk was full, some marks may not be stored yet. Nothing else is sent until they are stored.
    await this.#context.sentRecorder.storePending();
    const sendMessage = this.#transport.createSender();
    if (sendMessage) await this.#sendDueMessages(sendMessage, shouldContinue);
    if (await shouldContinue()) await this.#deleteOldMessages(this.#readTrustedTime());
  }

  async #sendDueMessages(sendMessage: SendMessage, shouldContinue: ShouldContinue): Promise<void> {
    const deadline = performance.now() + MAX_RUN_MS;
    const ids = await this.#findDueIds();
    for (const id of ids) {
      if (!(await shouldContinue())) return;
      if (performance.now() > deadline) return this.job.runNow();
      const minDelay = Bun.sleep(this.#transport.getMinIntervalMs?.() ?? 0);
      const message = await this.#messages.get(id);
      if (message?.state !== "waiting") continue;
      const deliveryError = await this.#sendOne(message, sendMessage);
      // All other messages would fail, too. The next run tries again.
      if (deliveryError?.affectsAllMessages) return;
      await minDelay;
    }
  }

  async #deleteOldMessages(now: number): Promise<void> {
    if (now - this.#lastCleanupAt < DAY) return;
    this.#lastCleanupAt = now;
    const before = new Date(now - MESSAGE_RETENTION_MS).toISOString();
    await this.#messages.deleteWhere({ state: { not: "waiting" }, createdAt: { before } });
  }
}

const TOO_LATE_MESSAGE = "The message waited for more than two days, so it wasn't sent.";
const SEND_FAILED_MESSAGE = "The message couldn't be sent because of an unexpected error.";
const QUEUE_UNREADABLE_MESSAGE =
  "The message queue couldn't be processed. Limelight will try again.";
