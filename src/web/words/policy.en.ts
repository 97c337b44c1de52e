/** The privacy policy in English, exactly as in docs/specification.md, section 2.5. Have a lawyer read it. */
import type { InAnyLanguage, Plural } from "./fill.ts";

export const en = {
  title: "Privacy Policy",
  updated: "Last updated:",
  introduction: {
    title: "Introduction",
    text: "This is the website of {name}, who decides what it does with your data. You can read every page without telling us who you are. This policy says what we learn when you visit, write to us or join the mailing list, what we use it for, and what you can ask of us.",
  },
  collected: {
    title: "Information We Collect",
    personal: "Personal information",
    lead: "We hold only what you type in and send to us yourself:",
    enquiry:
      "When you send an enquiry: your answers to the questions of the form, such as your name, your email address, your phone number, your country and your message. If we suggest times for a call, also which of them you take, or what you write instead.",
    mailingList:
      "When you join the mailing list: your email address and, if you give it, your name. With them we keep the words that you agreed to and when you did.",
    testimonial:
      "When you write a few words about us by a link that we gave you: your words, your name, who you say you are, the words that you agreed to and when, and your email address if we sent you the link there. We show them on this website once we have read them; by the same link you take them back at any time.",
    automatic: "Automatically collected information",
    traces:
      "With an enquiry and with a change to the mailing list we store the time, your IP address and the name your browser identifies itself with, so that we can tell people from robots. The address and the browser are removed after {days}.",
    days: { one: "one day", other: "{count} days" } as Plural,
    counts:
      "To stop floods of messages and guessed passwords, the server counts requests by IP address. These counts are in its working memory only and end when it restarts.",
    nothingElse:
      "There is no analytics, no advertising and no tracking on this website, and we do not build a profile of you.",
  },
  used: {
    title: "How We Use Your Information",
    enquiries:
      "Enquiries: to answer you and, if we agree to work together, to prepare your coaching.",
    mailingList:
      "The mailing list: to send you the updates you asked for, until you unsubscribe. You can do that at any time under UPDATES on the home page, and by the link in every letter. An address that hasn’t been confirmed within 7 days of our asking is removed. Of a letter we learn whether your mail server took it and whether you unsubscribed by it, never whether you read it: letters have no hidden pictures and no counted links.",
    address:
      "Your email address: to send you what you asked for by entering it, such as a link to confirm it, our thanks for an enquiry, or our answer.",
    traces: "Addresses and browsers: to protect the website against misuse.",
    grounds:
      "We do this because you asked for it (your consent, or steps before a contract), and for the protection of the website because we have a legitimate interest in it. We take no automated decisions about you.",
  },
  shared: {
    title: "Information Sharing",
    storedHere:
      "We do not sell, rent or trade your information. What you send is stored on the server of this website itself; no other company’s form or analytics service collects it on these pages.",
    storedElsewhere:
      "We do not sell, rent or trade your information. What you send is stored in a database of this website on another server; no other company’s form or analytics service collects it on these pages.",
    handedOn:
      "From there an enquiry may be handed on to a program that we use to answer it, and be told to our own devices, encrypted so that nobody on the way can read it. Emails that we send you are carried by the mail provider that we use, which learns your address and what they say, and by yours.",
    host: "The company that hosts the server can reach it for technical reasons.",
    hosts: "The companies that host these servers can reach it for technical reasons.",
    backups:
      "Backups, encrypted so that nobody there can read them, are kept in another place in case the server is lost.",
    law: "We pass on information when the law obliges us to.",
    pictures:
      "The pictures of these pages are fetched from {host}, which learns your IP address and your browser when you visit.",
    fonts:
      "The fonts of these pages are fetched from {host}, which learns your IP address and your browser when you visit.",
    videos:
      "Videos on these pages play from {host} once you press one, and not before. From then on {host} learns your IP address and your browser, and its own privacy policy holds.",
  },
  security: {
    title: "Data Security",
    text: "Only this website’s software, its owner and those to whom the owner has given an account can read stored data, behind a password that is kept as a hash. Pictures and texts are checked before they are stored, and the pages allow no third-party scripts. No way of storing or sending data is perfectly secure, but we keep little, and we do not keep it longer than it is needed.",
  },
  rights: {
    title: "Your Rights",
    lead: "You can ask us at any time to:",
    access: "tell you what we hold about you, and give you a copy of it in a common format;",
    correct: "correct what is wrong;",
    erase:
      "erase it, together with earlier versions of it. What we merely delete is kept aside for 30 days, in case it was a slip; what you ask us to erase is not;",
    object: "stop using it, or use it less, and withdraw consent you have given.",
    complain:
      "You can also complain to the data protection authority of the country you live in; in the United Kingdom this is the Information Commissioner’s Office.",
  },
  cookies: {
    title: "Cookies",
    text: "Visitors get no cookies. This website’s only cookies are for logging in, of its owner and of those who have an account. While you fill in an enquiry your browser keeps your answers for at most a day, so that they are not lost when the page is loaded again; they stay in your browser, and are removed once the enquiry has been sent or you close the tab. Until then your browser also remembers how far you had scrolled. Until you close the tab it remembers that you have seen how the first picture enters, so that it doesn’t do so again.",
  },
  links: {
    title: "Third-Party Links",
    text: "Our pages link to other websites, such as social networks and the press. They open when you follow a link and not before, and have privacy policies of their own, for which we are not responsible. Where our texts show a picture that is kept on another website, that website learns your IP address when your browser fetches it.",
  },
  children: {
    title: "Children's Privacy",
    text: "This website is not meant for children under 13, and we do not knowingly collect information from them. If you believe that a child under 13 has written to us, please tell us, and we will erase it.",
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

/** The policy of any language. */
export type Policy = InAnyLanguage<typeof en>;
