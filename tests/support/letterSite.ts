/** A site with an owner, a mailing list and a mail server on this machine, for tests of letters. */
import { expect } from "bun:test";
import { entities, type Item } from "../../src/schema/index.ts";
import { startMailSite } from "./mailSite.ts";
import { OWNER } from "./site.ts";
import { createSubscriber } from "./subscribers.ts";
import { waitForValue } from "./waits.ts";

export const TO_ALL = { kind: "all" };
export const LETTER = {
  subject: "News for {first name}",
  preview: "One evening",
  body: '<p>Hi {first name},</p><p>come <b>soon</b>.</p><p><img src="https://elsewhere.example/spy.gif" alt=""><img src="/uploads/a.jpg" alt="A stage"></p>',
  buttonText: "Keep me a seat",
  buttonLink: "/coaching",
};

/** Starts the site. The caller must stop it. */
export async function startLetterSite(options: Parameters<typeof startMailSite>[0] = {}) {
  const { site, server } = await startMailSite({ hasAddress: true, ...options });
  const send = (id: string, audience: object = TO_ALL, sendAt?: string) =>
    owner.post(`/api/letters/${id}/send`, { audience, ...(sendAt && { at: sendAt }) });
  let owner = await site.owner();
  const people = () => site.store.of(entities.emailSubscriptions);
  const letter = async (id: string) => (await owner.get(`/api/letters/${id}`)).body;
  /** Returns only letters, since the owner also gets messages about logins. */
  const arrived = () => server.received.filter(({ to }) => to![0]!.address !== OWNER.email);
  return {
    site,
    server,
    people,
    letter,
    arrived,
    owner: () => owner,
    /** Logs the owner in again, after time has passed. */
    async logInAgain() {
      owner = await site.logInAsOwner();
    },
    /** Restores an empty list, a server that accepts everything, and a postal address. */
    async reset(): Promise<void> {
      await people().deleteWhere({});
      server.refuseRecipients(undefined);
      server.whenReceived(undefined);
      server.received.length = 0;
      await owner.post("/api/letters/settings", { postalAddress: "12 Lamp Street\nLondon" });
    },
    addSubscriber: (email: string, more: Partial<Item<"emailSubscriptions">> = {}) =>
      people().insert(createSubscriber(email, more)),
    /** Creates a letter that has been tested. */
    async createTestedLetter(values: object = LETTER): Promise<string> {
      const { body } = await owner.post("/api/letters", values);
      const tested = await owner.post(`/api/letters/${body.id}/test`, {});
      expect(tested).toMatchObject({ status: 200 });
      server.received.length = 0;
      return body.id;
    },
    send,
    readState: async (id: string) => (await letter(id)).state,
    /** Sends a tested letter. Resolves once it has been sent. */
    async sendAndWait(id: string, audience?: object): Promise<string> {
      expect((await send(id, audience)).status).toBe(200);
      await waitForValue(async () => (await letter(id)).state, "sent");
      return id;
    },
    listRecipients: () =>
      arrived()
        .map(({ to }) => to![0]!.address!)
        .toSorted(),
    stop: () => Promise.all([site.stop(), server.stop()]),
  };
}

export type LetterSite = Awaited<ReturnType<typeof startLetterSite>>;
