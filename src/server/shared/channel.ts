/** Messages between the processes that serve a site, such as counters of limits. */

export interface Channel {
  /**
   * Notifies the other processes within milliseconds. Messages can get lost, so the receivers must be able to read the
   * change elsewhere or do without.
   */
  publish(topic: string, payload: Payload): void;
  subscribe(topic: string, listener: (payload: Payload) => void): void;
}

/** The content of a notification. */
export type Payload = readonly (string | number | null)[];

/** The channel of a site that is served by a single process. */
export const NO_CHANNEL: Channel = {
  publish() {},
  subscribe() {},
};
