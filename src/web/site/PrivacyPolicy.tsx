/** The privacy policy: what this very program does with what it learns (specification, section 2.5). */
import { Link } from "@tanstack/react-router";
import { mailto } from "../shared/mailto.ts";
import { type Shell, useShell } from "../shared/shell.ts";
import { Footer } from "./Footer.tsx";
import { Navigation } from "./Navigation.tsx";
import { fitted } from "./parts/fitted.ts";

/** Shows /privacy-policy; its date is the day the page was rendered, anew each midnight. */
export function Page() {
  const { site, today, fontProvider, retentionDays, elsewhere, address } = useShell();
  return (
    <>
      <Navigation />
      <main id="main" className="page policy">
        <article className="policy-text" lang="en">
          <h1 className="title fitted" style={fitted("Privacy Policy")}>
            Privacy Policy
          </h1>
          <p className="policy-updated">
            Last updated: <time dateTime={today}>{britishDate(today)}</time>
          </p>
          <AboutData
            name={site.name}
            retentionDays={retentionDays}
            fontHost={hostOf(fontProvider, address)}
            pictureHost={hostOf(elsewhere.pictures ?? "/", address)}
            elsewhere={elsewhere}
          />
          <AboutRights name={site.name} contact={site.contactEmail} />
        </article>
      </main>
      <Footer credit="Website by" />
    </>
  );
}

/** A day as en-GB writes it, 31/12/2030 (the same in every browser, which may lack the locale). */
function britishDate(day: string): string {
  return day.split("-").toReversed().join("/");
}

/** The host that something comes from, or undefined when it is this site itself, at `own`. */
function hostOf(provider: string, own: string | null): string | undefined {
  const host = provider.startsWith("/") ? undefined : new URL(provider).host;
  return own !== null && host === new URL(own).host ? undefined : host;
}

/** The hosts are those that fonts and pictures are fetched from, when it is not this site. */
interface AboutDataProps {
  readonly name: string;
  readonly retentionDays: number;
  readonly fontHost: string | undefined;
  readonly pictureHost: string | undefined;
  readonly elsewhere: Shell["elsewhere"];
}

/** What is collected, what for, and who gets to see it: Introduction to Data Security. */
function AboutData(props: AboutDataProps) {
  const { name, retentionDays, fontHost, pictureHost, elsewhere } = props;
  const days = retentionDays === 1 ? "one day" : `${retentionDays} days`;
  return (
    <>
      <h2>Introduction</h2>
      <p>
        This is the website of {name}, who decides what it does with your data. You can read every
        page without telling us who you are. This policy says what we learn when you visit, write to
        us or join the mailing list, what we use it for, and what you can ask of us.
      </p>

      <h2>Information We Collect</h2>
      <h3>Personal information</h3>
      <p>We hold only what you type in and send to us yourself:</p>
      <ul>
        <li>
          When you send an enquiry: your answers to the questions of the form, such as your name,
          your email address, your phone number, your country and your message.
        </li>
        <li>
          When you join the mailing list: your email address and, if you give it, your name. With
          them we keep the words that you agreed to and when you did.
        </li>
      </ul>
      <h3>Automatically collected information</h3>
      <ul>
        <li>
          With an enquiry and with a change to the mailing list we store the time, your IP address
          and the name your browser identifies itself with, so that we can tell people from robots.
          The address and the browser are removed after {days}.
        </li>
        <li>
          To stop floods of messages and guessed passwords, the server counts requests by IP
          address. These counts are in its working memory only and end when it restarts.
        </li>
      </ul>
      <p>
        There is no analytics, no advertising and no tracking on this website, and we do not build a
        profile of you.
      </p>

      <h2>How We Use Your Information</h2>
      <ul>
        <li>
          Enquiries: to answer you and, if we agree to work together, to prepare your coaching.
        </li>
        <li>
          The mailing list: to send you the updates you asked for, until you unsubscribe. You can do
          that at any time under UPDATES on the home page, and by the link in every letter. An
          address that hasn&rsquo;t been confirmed within 7 days of our asking is removed. Of a
          letter we learn whether your mail server took it and whether you unsubscribed by it, never
          whether you read it: letters have no hidden pictures and no counted links.
        </li>
        <li>
          Your email address: to send you what you asked for by entering it, such as a link to
          confirm it, our thanks for an enquiry, or our answer.
        </li>
        <li>Addresses and browsers: to protect the website against misuse.</li>
      </ul>
      <p>
        We do this because you asked for it (your consent, or steps before a contract), and for the
        protection of the website because we have a legitimate interest in it. We take no automated
        decisions about you.
      </p>

      <h2>Information Sharing</h2>
      <p>
        We do not sell, rent or trade your information. What you send is stored{" "}
        {elsewhere.data
          ? "in a database of this website on another server"
          : "on the server of this website itself"}
        ; no other company&rsquo;s form or analytics service collects it on these pages. From there
        an enquiry may be handed on to a program that we use to answer it, and be told to our own
        devices, encrypted so that nobody on the way can read it. Emails that we send you are
        carried by the mail provider that we use, which learns your address and what they say, and
        by yours.{" "}
        {elsewhere.data
          ? "The companies that host these servers can reach it for technical reasons."
          : "The company that hosts the server can reach it for technical reasons."}{" "}
        {elsewhere.backups &&
          "Backups, encrypted so that nobody there can read them, are kept in another place in case the server is lost. "}
        We pass on information when the law obliges us to.
      </p>
      {pictureHost && (
        <p>
          The pictures of these pages are fetched from {pictureHost}, which learns your IP address
          and your browser when you visit.
        </p>
      )}
      {fontHost && (
        <p>
          The fonts of these pages are fetched from {fontHost}, which learns your IP address and
          your browser when you visit.
        </p>
      )}

      <h2>Data Security</h2>
      <p>
        Only this website&rsquo;s software, its owner and those to whom the owner has given an
        account can read stored data, behind a password that is kept as a hash. Pictures and texts
        are checked before they are stored, and the pages allow no third-party scripts. No way of
        storing or sending data is perfectly secure, but we keep little, and we do not keep it
        longer than it is needed.
      </p>
    </>
  );
}

/** `contact` is the performer's email address, when one is published. */
interface AboutRightsProps {
  readonly name: string;
  readonly contact: string | null;
}

/** What visitors can ask for, and how to reach the performer: Your Rights to Contact Us. */
function AboutRights({ name, contact }: AboutRightsProps) {
  return (
    <>
      <h2>Your Rights</h2>
      <p>You can ask us at any time to:</p>
      <ul>
        <li>tell you what we hold about you, and give you a copy of it in a common format;</li>
        <li>correct what is wrong;</li>
        <li>
          erase it, together with earlier versions of it. What we merely delete is kept aside for 30
          days, in case it was a slip; what you ask us to erase is not;
        </li>
        <li>stop using it, or use it less, and withdraw consent you have given.</li>
      </ul>
      <p>
        You can also complain to the data protection authority of the country you live in; in the
        United Kingdom this is the Information Commissioner&rsquo;s Office.
      </p>

      <h2>Cookies</h2>
      <p>
        Visitors get no cookies. This website&rsquo;s only cookies are for logging in, of its owner
        and of those who have an account. While you fill in an enquiry your browser keeps your
        answers for at most a day, so that they are not lost when the page is loaded again; they
        stay in your browser, and are removed once the enquiry has been sent or you close the tab.
        Until then your browser also remembers how far you had scrolled. Until you close the tab it
        remembers that you have seen how the first picture enters, so that it doesn&rsquo;t do so
        again.
      </p>

      <h2>Third-Party Links</h2>
      <p>
        Our pages link to other websites, such as social networks and the press. They open when you
        follow a link and not before, and have privacy policies of their own, for which we are not
        responsible. Where our texts show a picture that is kept on another website, that website
        learns your IP address when your browser fetches it.
      </p>

      <h2>Children&apos;s Privacy</h2>
      <p>
        This website is not meant for children under 13, and we do not knowingly collect information
        from them. If you believe that a child under 13 has written to us, please tell us, and we
        will erase it.
      </p>

      <h2>Changes to This Policy</h2>
      <p>
        When the website changes, this policy changes with it. The date at the top is the date of
        the version you are reading.
      </p>

      <h2>Contact Us</h2>
      {contact ? (
        <p>
          Write to {name} at <a href={mailto(contact)}>{contact}</a>.
        </p>
      ) : (
        <p>
          Write to {name} through the enquiry form on the <Link to="/coaching">coaching page</Link>,
          or through one of the profiles linked on the <Link to="/">home page</Link>.
        </p>
      )}
    </>
  );
}
