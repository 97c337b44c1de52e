/** The privacy policy in English, with the headings of docs/specification, section 2.5. Have a lawyer read it. */
import type { TranslationOf, PluralForms } from "./placeholders.ts";

export const en = {
  title: "Privacy Policy",
  updated: "Last updated:",
  introduction: {
    title: "Introduction",
    text: "This is the website of {name}, who decides what it does with your data. You can read every page without telling us who you are. This policy explains what we collect when you visit, contact us or join the mailing list, how we use it, and what rights you have.",
  },
  collected: {
    title: "Information We Collect",
    personal: "Personal information",
    lead: "We only store what you enter and send to us yourself:",
    enquiry:
      "When you send an enquiry: your answers to the questions of the form, such as your name, your email address, your phone number, your country and your message. If we suggest times for a call, also which one you choose, or what you write instead.",
    mailingList:
      "When you join the mailing list: your email address and, if you give it, your name. We also store the consent text you agreed to and the date.",
    testimonial:
      "When you write a testimonial using a link from us: your testimonial, your name, your role, the consent text you agreed to and the date, and your email address if we sent you the link there. We show it on this website once we have read it. You can withdraw it at any time using the same link.",
    automatic: "Automatically collected information",
    traces:
      "When you send an enquiry or change your subscription, we store the time, your IP address and your browser's name, so that we can tell people from robots. The address and the browser are removed after {days}.",
    days: { one: "one day", other: "{count} days" } as PluralForms,
    counts:
      "To stop floods of messages and guessed passwords, the server counts requests by IP address. These counts are kept in memory only and are lost when the server restarts.",
    nothingElse:
      "This website has no analytics, advertising or tracking, and we don't build a profile of you.",
  },
  used: {
    title: "How We Use Your Information",
    enquiries:
      "Enquiries: to answer you and, if we agree to work together, to prepare your coaching.",
    mailingList:
      "The mailing list: to send you the updates you asked for, until you unsubscribe. You can do that at any time under UPDATES on the home page, and with the link in every newsletter. Addresses that aren't confirmed within 7 days are removed. For each newsletter, we learn whether your mail server accepted it and whether you unsubscribed through it. We never track whether you read it or click its links.",
    address:
      "Your email address: to send you what you asked for, such as a confirmation link, a thank-you for your enquiry, or our reply.",
    traces: "IP addresses and browser names: to protect the website against misuse.",
    grounds:
      "We do this because you asked for it (your consent, or steps before a contract), and for the protection of the website because we have a legitimate interest in it. We don't make automated decisions about you.",
  },
  shared: {
    title: "Information Sharing",
    storedHere:
      "We don't sell, rent or trade your information. What you send is stored on this website's own server; no other company's form or analytics service collects it on these pages.",
    storedElsewhere:
      "We don't sell, rent or trade your information. What you send is stored in a database of this website on another server; no other company's form or analytics service collects it on these pages.",
    handedOn:
      "An enquiry may be forwarded to software that we use to answer it, and sent as an encrypted notification to our own devices. Emails that we send you pass through our email provider and yours, which can see your address and the content.",
    host: "The company that hosts the server can access it for technical reasons.",
    hosts: "The companies that host these servers can access them for technical reasons.",
    backups: "Encrypted backups are kept at another location in case the server fails.",
    law: "We pass on information when the law requires us to.",
    pictures:
      "Images on these pages are loaded from {host}, which receives your IP address and browser details when you visit.",
    fonts:
      "The fonts of these pages are loaded from {host}, which receives your IP address and browser details when you visit.",
    videos:
      "Videos on these pages are loaded from {host} only after you start one. The service that the video comes from then receives your IP address and browser details, and its own privacy policy applies.",
  },
  security: {
    title: "Data Security",
    text: "Only this website's software, its owner and people with an account can access stored data. Passwords are stored as hashes. Images and texts are checked before they are stored, and the pages allow no third-party scripts. No way of storing or sending data is perfectly secure, but we keep little, and we don't keep it longer than we need it.",
  },
  rights: {
    title: "Your Rights",
    lead: "You can ask us at any time to:",
    access: "tell you what we hold about you, and give you a copy of it in a common format;",
    correct: "correct what is wrong;",
    erase:
      "erase it, together with earlier versions of it. Data we delete can be restored for 30 days; data you ask us to erase can't be restored;",
    object: "stop using it, or use it less, and withdraw consent you have given.",
    complain:
      "You can also complain to the data protection authority of the country you live in; in the United Kingdom this is the Information Commissioner's Office.",
  },
  cookies: {
    title: "Cookies",
    text: "Visitors get no cookies. The only cookies on this website are login cookies for its owner and people with an account. While you fill in an enquiry, your browser stores your answers for at most a day, so that they aren't lost when the page is loaded again; they stay in your browser, and are removed once the enquiry has been sent or you close the tab. Until then your browser also remembers how far you had scrolled. Until you close the tab, it also remembers that the opening animation has played, so it isn't repeated.",
  },
  links: {
    title: "Third-Party Links",
    text: "Our pages link to other websites, such as social networks and the press. They have their own privacy policies, for which we are not responsible. If our texts show an image from another website, that website receives your IP address when your browser loads it.",
  },
  children: {
    title: "Children's Privacy",
    text: "This website isn't meant for children under 13, and we don't knowingly collect information from them. If you believe that a child under 13 has written to us, please tell us, and we will erase what they sent.",
  },
  changes: {
    title: "Changes to This Policy",
    text: "When the website changes, this policy changes with it.",
  },
  contact: {
    title: "Contact Us",
    email: "Write to {name} at {email}.",
    elsewhere:
      "Write to {name} through the enquiry form on the {coaching}, or through one of the profiles linked on the {home}.",
    coaching: "coaching page",
    home: "home page",
  },
} as const;

export type Policy = TranslationOf<typeof en>;
