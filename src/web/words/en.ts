/**
 * The site's own words in English, to the letter of docs/specification.md. The other languages have the same keys:
 * one that is missing doesn't compile. `{name}` is filled in.
 */
import { COACHING_WORDS } from "../../schema/coachingWords.ts";
import { JOINING } from "../../schema/consent.ts";
import { DEFAULT_THANK_YOU } from "../../schema/questions.ts";
import { ANSWER_REFUSALS, VISITOR_REFUSALS } from "../../schema/refusals.ts";
import type { InAnyLanguage } from "./fill.ts";

export const en = {
  bar: {
    skip: "Skip to content",
    menu: "Menu",
    main: "Main",
    close: "Close menu",
    home: "Home",
    coaching: "Coaching",
    about: "About",
    showreel: "Showreel",
    highlights: "Highlights",
    connect: "Connect",
  },
  foot: {
    label: "Footer",
    letters: "Letters",
    policy: "Privacy Policy",
    websiteBy: "Website by {name}",
    designedBy: "Designed by {name}",
  },
  announcement: "Announcement",
  hero: {
    scroll: "Scroll",
    seeHighlights: "See the highlights",
    seeResults: "See the results",
  },
  gallery: {
    goTo: "Go to highlight {number}",
    previous: "Previous",
    next: "Next",
    place: "picture {number} of {count}",
  },
  videos: {
    play: "Play",
    captions: "Captions",
    from: "Plays from {host}, which then learns of your visit.",
  },
  connect: { link: "{text} ({platform}, opens in a new tab)" },
  coaching: {
    ...COACHING_WORDS,
    transformation: "Transformation {number}",
    ready: "Ready to start your own transformation journey?",
    closed: "Enquiries are closed at the moment",
    reachHere: "You can still reach {name} here.",
    readMore: "The home page tells you more about {name}.",
    sendEmail: "Send an email",
  },
  goHome: "Go to the home page",
  notFound: {
    head: "Page Not Found | {name}",
    title: "404 Page Not Found",
    text: "There is nothing at this address. It may have moved, or the link may be misspelled.",
  },
  failed: {
    page: "This page couldn't be loaded",
    form: "This form couldn't be sent",
    text: "Check your connection, then try again.",
    retry: "Retry",
  },
  head: {
    home: "The official website of {name}",
    coachingTitle: "Personal Coaching | {name}",
    coaching: "Personal coaching and mentoring with {name}",
    policyTitle: "Privacy Policy | {name}",
    policy: "What {name}'s website learns about its visitors, why, and what they can do about it.",
  },
  form: {
    step: "Step {number} of {count}",
    required: "Required",
    requiredNote: "(required)",
    previous: "Previous",
    next: "Next",
    submit: "Submit",
    submitting: "Submitting...",
    website: "Website",
    select: "Select an option",
    search: "Search countries",
    countries: "Countries",
    noCountry: "No country found.",
    dialPrefix: "Dial prefix",
    trunkZero: "After {dial} a number goes without its first 0.",
    leaveOut: "Leave it out",
    noSteps: "No active steps found in this form.",
    reload: "Reload",
    thanks: "Thank You!",
    thankYou: DEFAULT_THANK_YOU,
    continue: "Continue",
    again: "Submit Another Response",
    invalid: "Validation Error",
    error: "Error",
    failed: "Failed to submit form. Please try again.",
    offline: "You seem to be offline. Your answers are kept here.",
  },
  refused: {
    title: "Not sent yet",
    text: "Go back in your browser and send it again.",
  },
  mailingList: {
    tab: "UPDATES",
    ...JOINING,
    subscribe: "Subscribe",
    subscribing: "Subscribing...",
    subscribed: "Successfully subscribed!",
    since: "You'll receive exclusive updates from {name}.",
    subscribeFailed: "Subscription failed",
    leaveTitle: "Leave the mailing list",
    leaveLead: "Enter the email address that should no longer receive updates.",
    unsubscribe: "Unsubscribe",
    unsubscribing: "Unsubscribing...",
    back: "Back to subscribe",
    unsubscribed: "Successfully unsubscribed!",
    removed: "You've been removed from our mailing list.",
    unsubscribeFailed: "Unsubscribe failed",
    email: "Email Address *",
    name: "First Name (optional)",
    later: "Please try again later.",
    failed: "Something went wrong. Please try again later.",
  },
  dialog: { close: "Close" },
  toasts: { region: "Notifications (F8)", close: "Close notification" },
  listPages: {
    confirmTitle: "One more step",
    confirmText: "Press the button, and letters from {name} come to {email}.",
    confirm: "Confirm",
    leaveText: "Press the button, and no more letters from {name} come to {email}.",
    brokenTitle: "This link doesn't work",
    brokenText: "It may be incomplete. Open it from the message again, or copy all of it.",
    expiredTitle: "This link no longer works",
    expiredText: "It was used, or is older than 7 days. Subscribe again on the site.",
  },
  letters: {
    title: "Letters",
    none: "There are no letters here yet.",
    all: "All letters",
    foot: "You get this because you joined the mailing list of {name}.",
    read: "Read it on the site",
  },
  mail: {
    confirmSubject: "Confirm your subscription · {name}",
    confirmText:
      "Press the button if you want to hear from {name} by email. The link works for 7 days.",
    confirmNotYou:
      "Somebody entered this address on the site. If it wasn't you, do nothing: you get no letters.",
    confirmFoot: "Sent once, to confirm an address for the mailing list of {name}.",
    welcomeSubject: "Welcome · {name}",
    welcomeTitle: "You're on the list",
    welcomeText: "You'll hear from {name} by email when there is news.",
    leaveSubject: "Leave the mailing list · {name}",
    leaveText:
      "Press the button and the unsubscribe page opens. One more press there, and you get no more letters.",
    leaveNotYou:
      "Somebody entered this address on the site. If it wasn't you, do nothing: you stay on the list.",
    leaveFoot: "Sent because somebody asked to take this address off the mailing list of {name}.",
    thanksTitle: "Thank you for your enquiry",
    thanksHello: "Hello {name},",
    thanksText: "Thank you. Your message has arrived, and you will hear back soon.",
    thanksFoot:
      "You get this once, since this address was entered in a form on the site of {name}. If that wasn't you, nothing more will come.",
    replyFoot: "You get this because you wrote to {name}. Answer it to write back.",
    youWrote: "What you wrote on {day}:",
    youWroteHere: "What you wrote on our site:",
  },
  answers: ANSWER_REFUSALS,
  refusals: VISITOR_REFUSALS,
} as const;

/** The words of any language. */
export type Words = InAnyLanguage<typeof en>;
