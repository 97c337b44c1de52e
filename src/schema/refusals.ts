/**
 * The refusals for visitors, in English. Calls return these sentences; the site's own pages translate them
 * (src/web/words), using the English one as the key. Each has at most one `{placeholder}`.
 */

/** Refusals of answers, on the page and on the server. */
export const ANSWER_REFUSALS = {
  required: "{label} is required",
  formChanged: "This form has changed since you opened it. Reload the page to see it.",
  tooLong: "Use at most {most} characters.",
  controls: "Remove the invisible control characters.",
  email: "Enter an email address such as name@example.com.",
  noEmail: "Email is required",
  agree: "Please agree to “{label}”.",
  date: "Enter a day such as 14 March 2027.",
  link: "Enter a full address that starts with https://.",
  like: "Enter it like this: {example}.",
  number: "Enter a number such as 12 or 3.5.",
  twoNumbers: "This can be read in two ways. Enter it as one of these: {readings}.",
  phone: "Enter a phone number: digits, spaces and + only.",
  internationalPhone: "Choose a country code and enter a phone number.",
  country: "Choose a country from the list.",
  choose: "Choose one of the options.",
  chooseSome: "Choose from the options.",
  chosenTooMany: "Choose at most {most} options.",
} as const;

/** Other refusals of a visitor's call. */
export const VISITOR_REFUSALS = {
  tooManyMessages: "Too many messages in a short time. Please wait a moment and send it again.",
  tooQuick: "That was very quick. Please wait a few seconds and send it again.",
  tooManyTries: "Too many tries in a short time. Please wait a moment and try again.",
  tooManyRequests: "Too many requests. Please wait a moment and try again.",
  tooManyAtOnce: "Too many requests at once. Please wait a moment and try again.",
  hiddenField:
    "A field that should stay empty was filled in, perhaps by your browser. Please send it again.",
  fullOfMessages: "We can't take any more messages at the moment. Please try again later.",
  fullOfSubscriptions:
    "We can't take any more subscriptions at the moment. Please try again later.",
  notOpen: "This site isn't open yet, so nothing was sent. Please come back later.",
  formClosed: "This form isn't taking answers at the moment.",
  tooLarge: "This is too large: at most {most} can be sent here.",
  tooSlow: "Sending took too long. Try again with a better connection.",
  brokenOff: "The connection broke off. Send it again.",
  unreadableForm: "The form couldn't be read. Send it again.",
  foreignOrigin: "This can only be done from the site's own pages.",
  wrongHost: "This isn't the site's own address. Use its public address.",
  notFound: "There is nothing at this address.",
  notSaved: "This couldn't be saved just now. Nothing was changed. Please try again in a moment.",
  perhapsSaved: "It isn't known whether this was saved. Please reload in a moment to see.",
  fault: "Something went wrong on the server. Please try again.",
} as const;
