/**
 * The refusals for visitors, in English, as the server returns them. The site's pages translate them (src/web/words),
 * with the English sentence as the key. Each has at most one `{placeholder}`.
 */

/** Refusals of answers in the enquiry form, used on the page and on the server. */
export const ANSWER_REFUSALS = {
  required: "{label} is required",
  formChanged: "This form has changed since you opened it. Reload the page to see it.",
  tooLong: "Use at most {most} characters.",
  controlCharacters: "Remove the invisible characters from this text.",
  email: "Enter an email address such as name@example.com.",
  noEmail: "Email is required",
  agree: 'Please agree to "{label}".',
  date: "Enter a date such as March 14, 2027.",
  link: "Enter a full link that starts with https://.",
  format: "Use this format: {example}.",
  number: "Enter a number such as 12 or 3.5.",
  ambiguousNumber: "This could mean two different numbers. Enter it as one of these: {readings}.",
  phone: "Enter a phone number using only digits, spaces and +.",
  internationalPhone: "Choose a country code and enter a phone number.",
  country: "Choose a country from the list.",
  choose: "Choose one of the options.",
  chooseSome: "Choose from the options.",
  chosenTooMany: "Choose up to {most} options.",
} as const;

export const VISITOR_REFUSALS = {
  tooManyMessages: "You've sent too many messages. Please wait a moment and try again.",
  tooQuick: "That was fast. Please wait a few seconds and try again.",
  tooManyTries: "Too many attempts. Please wait a moment and try again.",
  tooManyRequests: "Too many requests. Please wait a moment and try again.",
  tooManyAtOnce: "Too many requests at once. Please wait a moment and try again.",
  hiddenField: "A hidden field was filled in, perhaps by your browser. Please send the form again.",
  fullOfMessages: "We can't accept more messages right now. Please try again later.",
  fullOfSubscriptions: "We can't accept more subscriptions right now. Please try again later.",
  notOpen: "This site isn't open yet, so nothing was sent. Please come back later.",
  formClosed: "This form is currently closed.",
  tooLarge: "This is too large. The limit is {most}.",
  tooSlow: "Sending took too long. Check your connection and try again.",
  connectionLost: "The connection was lost. Please try again.",
  unreadableForm: "We couldn't read the form. Please send it again.",
  foreignOrigin: "This request came from another website. Please open this site and try again.",
  wrongHost: "Open this site at its public address.",
  notFound: "This page doesn't exist.",
  notSaved: "Couldn't save, and nothing was changed. Please try again in a moment.",
  perhapsSaved: "We don't know whether this was saved. Please reload in a moment to check.",
  internalError: "Something went wrong on our end. Please try again.",
} as const;
