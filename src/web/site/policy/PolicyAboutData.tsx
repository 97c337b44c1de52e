/** The first half of the policy: what is collected, what for, and who gets to see it. */

/** `fontHost` is the provider that fonts are fetched from, when it is not this site. */
export interface PolicyAboutDataProps {
  readonly name: string;
  readonly retentionDays: number;
  readonly fontHost: string | undefined;
}

/** Shows the sections from Introduction to Data Security. */
export function PolicyAboutData({ name, retentionDays, fontHost }: PolicyAboutDataProps) {
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
          your e-mail address, your telephone number, your country and your message.
        </li>
        <li>When you join the mailing list: your e-mail address and, if you give it, your name.</li>
      </ul>
      <h3>Automatically collected information</h3>
      <ul>
        <li>
          With an enquiry and with a change to the mailing list we store the time, your IP address
          and the name your browser gives itself, so that we can tell people from robots. The
          address and the browser are removed after {days}.
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
        <li>Enquiries: to answer you and, if we agree on it, to prepare your coaching.</li>
        <li>
          The mailing list: to send you the updates you asked for, until you unsubscribe. You can do
          that at any time under UPDATES on the home page.
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
        We do not sell, rent or trade your information. What you send is stored on the server of
        this website itself; no other company&rsquo;s form, mailing or analytics service receives it
        through this website. The company that hosts the server can reach it for technical reasons.
        We pass on information when the law obliges us to.
      </p>
      {fontHost && (
        <p>
          The fonts of these pages are fetched from {fontHost}, which learns your IP address and
          your browser when you visit.
        </p>
      )}

      <h2>Data Security</h2>
      <p>
        Stored data can be read by this website&rsquo;s program and its owner only, behind a
        password that is kept as a hash. Pictures and texts are checked before they are stored, and
        the pages allow no foreign scripts. No way of storing or sending data is perfectly secure,
        but we keep little, and we do not keep it longer than it is needed.
      </p>
    </>
  );
}
