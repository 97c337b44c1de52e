/** What a visitor reads where they join the mailing list (specification, section 4.1): it is kept with the subscription. */

export const JOINING = {
  title: "Get the updates",
  lead: "News from {name}, straight to your inbox.",
  leave: "Unsubscribe anytime",
} as const;

/** The same in the language of a site. */
type Joining = Readonly<Record<keyof typeof JOINING, string>>;

/** The wording that somebody agreed to, as one text. */
export const consentTo = (joining: Joining, siteName: string) =>
  [`${joining.title}.`, joining.lead.replace("{name}", () => siteName), `${joining.leave}.`].join(
    " ",
  );
