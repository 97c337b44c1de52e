/** Messages between the processes that serve a site, such as counters of limits. */

export interface Channel {
  /**
   * Notifies the others within milliseconds, but not reliably: only for changes that can be read again, or
   * may be lost.
   */
  publish(topic: string, payload: Payload): void;
  subscribe(topic: string, listener: (payload: Payload) => void): void;
}

/** The content of a notification. */
export type Payload = readonly (string | number | null)[];

/** For a site that is served by one process. */
export const noChannel: Channel = {
  publish() {},
  subscribe() {},
};
