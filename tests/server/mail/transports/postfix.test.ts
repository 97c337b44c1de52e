/** Messages arrive unchanged through a real mail server, and its refusals are quoted. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { simpleParser } from "mailparser";
import { addForm, ANSWERS, createEnquiry } from "../../../support/enquirySite.ts";
import {
  hasOpendkim,
  hasPostfix,
  type Postfix,
  type DkimSigner,
  startPostfix,
  startDkimSigner,
} from "../../../support/postfix.ts";
import { waitForValue, type Site, startSite } from "../../../support/testSite.ts";

describe.skipIf(!hasPostfix)(
  "Debian's Postfix (skipped where the package postfix is not installed, or without root)",
  () => {
    let site: Site;
    let server: Postfix;
    let signing: DkimSigner | undefined;
    beforeAll(async () => {
      signing = hasOpendkim ? await startDkimSigner() : undefined;
      server = await startPostfix(["ada"], signing);
      site = await startSite({
        env: {
          RATE_LIMIT: "off",
          MAIL_URL: `smtp://127.0.0.1:${server.port}`,
          MAIL_FROM: "Véra Lane <site@example.com>",
        },
      });
      await addForm(site.store);
    });
    afterAll(async () => {
      await site?.stop();
      await server?.stop();
      await signing?.stop();
    });

    test("an enquiry with non-ASCII and long text arrives complete", async () => {
      const answers = {
        ...ANSWERS,
        name: "Zoë 山田",
        story: `. begins\n.\n${"long ".repeat(400)}`,
      };
      await site.visitor().post("/api/form-submissions", createEnquiry(answers));
      await waitForValue(async () => (await server.readDelivered()).length, 1);
      const [raw] = await server.readDelivered();
      const email = await simpleParser(raw!);
      expect(email.subject).toBe("New submission from Zoë 山田 · Your Name");
      expect(email.from!.value).toEqual([{ name: "Véra Lane", address: "site@example.com" }]);
      expect(email.replyTo!.value[0]!.address).toBe("ann@example.com");
      expect(email.text).toContain(`Story\n. begins\n.\n${"long ".repeat(400).trim()}`);
      expect(email.html).toContain("Zoë 山田");
      expect(email.headers.get("auto-submitted")).toBe("auto-generated");
      expect(String(email.headers.get("received"))).toContain("Postfix");
      const { items } = await site.context.mail.outbox.listPage({ offset: 0, limit: 9 });
      expect(items[0]!.messageId).toBe(email.messageId!);
      await waitForValue(
        async () =>
          (await site.context.mail.outbox.listPage({ offset: 0, limit: 9 })).items[0]!.state,
        "sent",
      );
    });

    test("an unknown mailbox is a permanent failure, with the server's text", async () => {
      const { outbox } = site.context.mail;
      const words = {
        kind: "notice",
        subject: "Words",
        text: "words",
        html: "<p>words</p>",
      } as const;
      await outbox.add({ ...words, to: "nobody@example.com" });
      const newest = async () => (await outbox.listPage({ offset: 0, limit: 1 })).items[0]!;
      await waitForValue(async () => (await newest()).state, "failed");
      expect((await newest()).said).toContain("550 5.1.1 <nobody@example.com>");
    });

    test.skipIf(!hasOpendkim)(
      "a DKIM signature of a message is valid and includes the unsubscribe header (skipped without opendkim)",
      async () => {
        const before = (await server.readDelivered()).length;
        const unsubscribe = "<https://example.com/unsubscribe?t=abc>";
        await site.context.mail.outbox.add({
          kind: "welcome",
          to: "ada@example.com",
          subject:
            "Grüße · مساء الخير · a subject that is longer than one line of a message may be",
          text: `. begins\n\n  two spaces and a very ${"long ".repeat(300)}line  `,
          html: `<p>Zoë 山田 ${"long ".repeat(300)}</p>`,
          headers: {
            "List-Unsubscribe": unsubscribe,
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          },
        });
        await waitForValue(async () => (await server.readDelivered()).length, before + 1);
        const raw = (await server.readDelivered()).find((each) => each.includes(unsubscribe))!;
        const verify = async (message: Buffer) => {
          const resolver = async (name: string, type: string) =>
            name === "s1._domainkey.example.com" && type === "TXT" ? [[signing!.record]] : [];
          const [result] = (await dkimVerify(message, { resolver })).results;
          return result;
        };
        const result = await verify(raw);
        expect(result).toMatchObject({
          status: { result: "pass", aligned: "example.com" },
          signingDomain: "example.com",
        });
        const signed = result!.signingHeaders!.keys.toLowerCase();
        for (const name of ["from", "subject", "list-unsubscribe", "list-unsubscribe-post"])
          expect(signed.split(/[:,\s]+/)).toContain(name);
        const forged = Buffer.from(raw.toString("latin1").replace("t=abc", "t=xyz"), "latin1");
        expect((await verify(forged))!.status.result).toBe("fail");
      },
    );
  },
);
