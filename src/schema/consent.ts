/** What a visitor reads where they join the mailing list (specification, section 4.1): it is kept with the subscription. */

export const JOINING = {
  title: "Get the updates",
  lead: (name: string) => `News from ${name}, straight to your inbox.`,
  leave: "Unsubscribe anytime",
} as const;

/** The wording that somebody agreed to, as one text. */
export const consentTo = (siteName: string) =>
  [`${JOINING.title}.`, JOINING.lead(siteName), `${JOINING.leave}.`].join(" ");
