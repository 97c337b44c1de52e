/** The footer of every public page. */
import { toSafeUrl } from "../../schema/core/safeUrl.ts";
import { usePageContext } from "../shared/pageContext.ts";
import { fillPlaceholders } from "../words/placeholders.ts";
import { useWords } from "../words/siteWords.ts";
import { PageLinks } from "./Navigation.tsx";

export function Footer({ credit }: { credit: "websiteBy" | "designedBy" }) {
  const { site, today, hasLetters } = usePageContext();
  const { words, lang, contentLang } = useWords();
  const address = toSafeUrl(site.agencyUrl);
  const credits =
    site.agencyName && fillPlaceholders(words.footer[credit], { name: site.agencyName });
  return (
    <footer className="foot" lang={lang}>
      <p>
        © {today.slice(0, 4)} <bdi lang={contentLang}>{site.name}</bdi>
      </p>
      <nav aria-label={words.footer.label}>
        {hasLetters && <a href="/letters">{words.footer.letters}</a>}
        <PageLinks location="footer" />
        {credits && address && (
          <a href={address} target="_blank" rel="noopener noreferrer">
            {credits}
          </a>
        )}
        {credits && !address && <span>{credits}</span>}
      </nav>
    </footer>
  );
}
