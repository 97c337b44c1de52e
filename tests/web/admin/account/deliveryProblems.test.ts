/** The callout about emails that weren't delivered (specification, section 2.23). */
import { afterAll, expect, test } from "bun:test";
import { createElement as h } from "react";
import { MailPage } from "../../../../src/web/admin/account/mail/Mail.tsx";
import { queryClient } from "../../../../src/web/admin/data/client.ts";
import { renderInDashboard } from "../../../support/renderInDashboard.ts";

afterAll(() => queryClient.clear());

const MESSAGE = {
  id: "1",
  kind: "enquiry",
  to: "vera@example.com",
  subject: "New submission from Ann",
  state: "failed",
  needsAttention: true,
  attempts: 3,
  nextAt: "2026-11-01T08:00:00.000Z",
  problem: "The server refused it.",
  said: null,
  createdAt: "2026-11-01T08:00:00.000Z",
  sentAt: null,
};

const STATE = {
  isFixed: true,
  isSetUp: false,
  preset: "other",
  account: null,
  hasSecret: false,
  fromName: "",
  fromAddress: "",
  notify: "each",
  notifyTo: null,
  owners: ["vera@example.com"],
  selfTest: { isOn: false, last: null },
  webhook: null,
  signature: "",
  usualSignature: "",
  replyTemplates: [],
  total: 1,
  waiting: 0,
  failed: 1,
};

async function renderCallout(messages: readonly object[]): Promise<string> {
  queryClient.setQueryData(["mail"], { ...STATE, messages });
  const [callout = ""] = (await renderInDashboard(h(MailPage))).split("Which email provider");
  return callout;
}

test("Retry is offered for emails that need attention, not for older failures listed with them", async () => {
  const old = { ...MESSAGE, needsAttention: false, subject: "An old one" };
  const callout = await renderCallout([old, MESSAGE]);
  expect(callout).toContain("One email needs attention");
  expect(callout).toContain("New submission from Ann. The server refused it.");
  expect(callout).toContain("Retry");
  // The email that needs attention isn't among those listed.
  const other = await renderCallout([old]);
  expect(other).toContain("One email needs attention");
  expect(other).not.toContain("Retry");
});
