/** The consent text of the mailing list's form (specification, section 4.1), which is stored with each subscription. */

export const SIGNUP_TEXT = {
  title: "Get the updates",
  lead: "News from {name}, straight to your inbox.",
  leave: "Unsubscribe anytime",
} as const;

type SignupText = Readonly<Record<keyof typeof SIGNUP_TEXT, string>>;

/** Returns the consent text in one line, as it is stored with a subscription. */
export const createConsentText = (text: SignupText, siteName: string) =>
  [`${text.title}.`, text.lead.replace("{name}", () => siteName), `${text.leave}.`].join(" ");
