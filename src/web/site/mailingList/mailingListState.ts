/** What the mailing-list dialog holds and does: two modes, three inputs, one call each. */
import { signal } from "@preact/signals-react";
import { JOINING } from "../../../schema/consent.ts";
import { call, CallFailed } from "../../shared/api.ts";
import { showToast } from "../../ui/toast.ts";

type Mode = "subscribe" | "unsubscribe";

/** The words of each mode (specification, section 4.1); titles and leads are ours. */
export const WORDS = {
  subscribe: {
    title: JOINING.title,
    lead: JOINING.lead,
    send: "Subscribe",
    sending: "Subscribing...",
    other: JOINING.leave,
    failed: "Subscription failed",
  },
  unsubscribe: {
    title: "Leave the mailing list",
    lead: () => "Enter the email address that should no longer receive updates.",
    send: "Unsubscribe",
    sending: "Unsubscribing...",
    other: "Back to subscribe",
    failed: "Unsubscribe failed",
  },
} as const;

const FALLBACK = "Something went wrong. Please try again later.";

export type MailingList = ReturnType<typeof createMailingList>;

export function createMailingList() {
  const mode = signal<Mode>("subscribe");
  const [email, name, website] = [signal(""), signal(""), signal("")];
  const pending = signal(false);

  function reset(): void {
    mode.value = "subscribe";
    for (const typed of [email, name, website]) typed.value = "";
  }

  function switchMode(): void {
    mode.value = mode.value === "subscribe" ? "unsubscribe" : "subscribe";
  }

  /** Makes the call of the mode and says how it went; true when it was done (specification, section 8.2). */
  async function send(siteName: string): Promise<boolean> {
    const address = email.value.trim();
    if (address === "" || pending.value) return false;
    if (website.value !== "") return sayFailed("Subscription failed", "Please try again later.");
    const sent = mode.value;
    pending.value = true;
    try {
      await (sent === "subscribe" ? subscribe(address, name.value.trim()) : unsubscribe(address));
      showToast(successOf(sent, siteName));
      return true;
    } catch (error) {
      return sayFailed(WORDS[sent].failed, wordsOf(error));
    } finally {
      pending.value = false;
    }
  }

  return { mode, email, name, website, pending, reset, switchMode, send };
}

function subscribe(email: string, name: string): Promise<unknown> {
  const body = name === "" ? { email } : { email, name };
  return call("/api/email-subscriptions", { method: "POST", body });
}

function unsubscribe(email: string): Promise<unknown> {
  return call("/api/email-subscriptions/unsubscribe", { method: "POST", body: { email } });
}

function successOf(mode: Mode, siteName: string) {
  return mode === "subscribe"
    ? {
        title: "Successfully subscribed!",
        description: `You'll receive exclusive updates from ${siteName}.`,
      }
    : {
        title: "Successfully unsubscribed!",
        description: "You've been removed from our mailing list.",
      };
}

function sayFailed(title: string, description: string): false {
  showToast({ title, description, destructive: true });
  return false;
}

/** The server's words; a call that never reached it has none for people. */
function wordsOf(error: unknown): string {
  return (error instanceof CallFailed && error.message) || FALLBACK;
}
