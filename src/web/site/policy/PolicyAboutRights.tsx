/** The second half of the policy: what visitors can ask for, and how to reach the performer. */
import { Link } from "@tanstack/react-router";

/** `contact` is the performer's e-mail address, when one is published. */
export interface PolicyAboutRightsProps {
  readonly name: string;
  readonly contact: string | null;
}

/** Shows the sections from Your Rights to Contact Us. */
export function PolicyAboutRights({ name, contact }: PolicyAboutRightsProps) {
  return (
    <>
      <h2>Your Rights</h2>
      <p>You can ask us at any time to:</p>
      <ul>
        <li>tell you what we hold about you, and give you a copy of it in a common format;</li>
        <li>correct what is wrong;</li>
        <li>erase it, together with earlier versions of it;</li>
        <li>stop using it, or use it less, and take back a consent you have given.</li>
      </ul>
      <p>
        You can also complain to the data protection authority of the country you live in; in the
        United Kingdom this is the Information Commissioner&rsquo;s Office.
      </p>

      <h2>Cookies</h2>
      <p>
        Visitors get no cookies. The only cookie of this website is the one that keeps its owner
        logged in. While you fill in an enquiry your browser keeps your answers for at most a day,
        so that they are not lost when the page is loaded again; they stay in your browser, and are
        removed once the enquiry has been sent or you close the tab. Until then your browser also
        remembers how far down a page you were.
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
        When the website changes, this policy changes with it. The date at the top is that of the
        text you are reading.
      </p>

      <h2>Contact Us</h2>
      {contact ? (
        <p>
          Write to {name} at <a href={`mailto:${contact}`}>{contact}</a>.
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
