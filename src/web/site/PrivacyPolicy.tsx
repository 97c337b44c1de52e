/** The privacy policy: what this very program does with what it learns (spec section 2). */
import { useShell } from "../shell.ts";
import { fitted } from "./fitted.ts";
import { Footer } from "./Footer.tsx";
import { Navigation } from "./Navigation.tsx";
import { PolicyAboutData } from "./policy/PolicyAboutData.tsx";
import { PolicyAboutRights } from "./policy/PolicyAboutRights.tsx";

/** Shows /privacy-policy; its date is the day the page was rendered, anew each midnight. */
export function PrivacyPolicy() {
  const { site, today, fontProvider, retentionDays } = useShell();
  return (
    <>
      <Navigation />
      <main id="main" className="page policy">
        <article className="policy-text">
          <h1 className="title fitted" style={fitted("Privacy Policy")}>
            Privacy Policy
          </h1>
          <p className="policy-updated">
            Last updated: <time dateTime={today}>{britishDate(today)}</time>
          </p>
          <PolicyAboutData
            name={site.name}
            retentionDays={retentionDays}
            fontHost={hostOf(fontProvider)}
          />
          <PolicyAboutRights name={site.name} contact={site.contactEmail} />
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

/** The host fonts come from, or undefined when it is this site itself. */
function hostOf(provider: string): string | undefined {
  return provider.startsWith("/") ? undefined : new URL(provider).host;
}
