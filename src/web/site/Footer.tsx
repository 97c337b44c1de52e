/** The foot of every public page. */
import { safeUrl } from "../../schema/safeUrl.ts";
import { useShell } from "../shared/shell.ts";
import { PageLinks } from "./Navigation.tsx";

/** The copyright line, the way to the policy, and the credit when an agency is named. */
export function Footer({ credit }: { credit: "Website by" | "Designed by" }) {
  const { site, today, hasLetters } = useShell();
  const address = safeUrl(site.agencyUrl);
  const words = site.agencyName && `${credit} ${site.agencyName}`;
  return (
    <footer className="foot">
      <p>
        © {today.slice(0, 4)} <bdi>{site.name}</bdi>
      </p>
      <nav aria-label="Footer">
        {hasLetters && <a href="/letters">Letters</a>}
        <PageLinks place="footer" />
        {words && address && (
          <a href={address} target="_blank" rel="noopener noreferrer">
            {words}
          </a>
        )}
        {words && !address && <span>{words}</span>}
      </nav>
    </footer>
  );
}
