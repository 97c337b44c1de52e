/** What the server tells of the site's mail, and what can be done about it. */
import { useQuery } from "@tanstack/react-query";
import type { MailAccount } from "../../../schema/mail.ts";
import type {
  DomainRecord,
  MailState,
  MailTest,
  WebhookSet,
  WebhookTest,
} from "../../../schema/mailAnswers.ts";
import { call } from "../../shared/api.ts";
import { readNoticesAgain } from "./backups.ts";
import { queryClient, withSession } from "./client.ts";

const KEY = ["mail"];
/** While messages wait they are looked at again, in milliseconds. */
const ASKED_EVERY = 3000;

/** The state of the mail, read again whenever a screen shows it anew. */
export function useMail() {
  return useQuery({
    queryKey: KEY,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.messages.some((message) => message.state === "waiting") ? ASKED_EVERY : false,
    queryFn: () => withSession(() => call<MailState>("/api/mail")),
  });
}

/** What is sent to set mail up; what is left out stays as it is. */
export interface MailChange {
  readonly preset?: string;
  readonly account?: MailAccount;
  readonly secret?: string;
  readonly fromName?: string;
  readonly fromAddress?: string;
  readonly notify?: MailState["notify"];
  readonly notifyTo?: string | null;
  readonly selfTest?: boolean;
}

/** Throws CallFailed, with words by field. */
export async function saveMail(change: MailChange): Promise<void> {
  take(await withSession(() => call<MailState>("/api/mail", { method: "POST", body: change })));
}

/** Ends sending. Throws CallFailed. */
export async function switchMailOff(): Promise<void> {
  take(await withSession(() => call<MailState>("/api/mail", { method: "DELETE" })));
}

function take(state: MailState): void {
  queryClient.setQueryData(KEY, state);
  readNoticesAgain();
}

/** Sends a message to who asks; how it went is returned, not thrown. */
export function testMail(): Promise<MailTest> {
  return withSession(() => call<MailTest>("/api/mail/test", { method: "POST", body: {} }));
}

/** Tries a message again now. Throws CallFailed. */
export async function retryMessage(id: string): Promise<void> {
  await withSession(() => call(`/api/mail/messages/${id}/retry`, { method: "POST" }));
  await queryClient.invalidateQueries({ queryKey: KEY });
  readNoticesAgain();
}

/** The records of the sender's domain, looked up on request. */
export function useDomain(isSetUp: boolean) {
  return useQuery({
    queryKey: ["mail", "domain"],
    enabled: isSetUp,
    staleTime: 0,
    queryFn: () => withSession(() => call<DomainRecord[]>("/api/mail/domain")),
  });
}

/** Changes where enquiries are posted to, and returns the secret where there is a new one. Throws CallFailed. */
async function changeWebhook(path: string, method: "POST" | "DELETE", body?: object) {
  const options = { method, ...(body && { body }) };
  const { webhook, secret } = await withSession(() =>
    call<WebhookSet>(`/api/mail/webhook${path}`, options),
  );
  queryClient.setQueryData<MailState>(KEY, (state) => state && { ...state, webhook });
  readNoticesAgain();
  return secret;
}

/** As `changeWebhook`; what is wrong with the address is in `fields`. */
export const setWebhook = (url: string) => changeWebhook("", "POST", { url });
export const renewWebhookSecret = () => changeWebhook("/secret", "POST");
export const endWebhook = () => changeWebhook("", "DELETE");

/** Posts an example; how it went is returned, not thrown. */
export function testWebhook(): Promise<WebhookTest> {
  return withSession(() => call<WebhookTest>("/api/mail/webhook/test", { method: "POST" }));
}
