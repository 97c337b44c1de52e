/** The last screen of the welcome assistant shows the finished site and its address. */
import Check from "lucide-react/icons/check";
import CircleCheck from "lucide-react/icons/circle-check";
import Copy from "lucide-react/icons/copy";
import ExternalLink from "lucide-react/icons/external-link";
import Globe from "lucide-react/icons/globe";
import Share2 from "lucide-react/icons/share-2";
import type { Content } from "../../../schema/index.ts";
import { getPlatform } from "../../../schema/sections/platforms.ts";
import { usePageContext } from "../../shared/pageContext.ts";
import { Button } from "../../ui/Button.tsx";
import { useEntity } from "../data/useEntity.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { useCopyToClipboard } from "../../ui/CopyButton.tsx";
import { createFirstSentence } from "./saveWelcome.ts";
import { STEP_COUNT, WelcomeFrame } from "./WelcomeFrame.tsx";

interface DoneStepProps {
  readonly hero: Content<"hero">;
  readonly onDashboard: () => void;
}

export function DoneStep({ hero, onDashboard }: DoneStepProps) {
  const siteUrl = usePageContext().siteUrl ?? window.location.origin;
  const [isCopied, copy] = useCopyToClipboard(siteUrl);
  const displayUrl = siteUrl.replace(/^https?:\/\//, "");
  const facts = useSiteFacts(hero);
  const { value: styles } = useEntity("styles");
  return (
    <WelcomeFrame
      step={STEP_COUNT + 1}
      title="Your site is ready"
      note={
        <>
          It is live at <strong className="quiet">{displayUrl}</strong>. Empty sections stay hidden
          until you fill them.
        </>
      }
      hero={hero}
      styles={styles}
      hasPreviewOnPhone
      footer={
        <>
          <Button variant="quiet" onClick={onDashboard}>
            Dashboard
          </Button>
          <a className="ui-button" data-variant="primary" href="/" target="_blank" rel="noopener">
            View site <ExternalLink size={16} aria-hidden="true" />
          </a>
        </>
      }
    >
      <ul className="card divided">
        {facts.map(([label, text]) => (
          <li key={label} className="row pad">
            <CircleCheck size={16} data-tone="ok" aria-hidden="true" />
            <strong>{label}</strong>
            <span className="quiet grow">{text}</span>
          </li>
        ))}
      </ul>
      <div className="welcome-address row mt-12">
        <Globe size={16} aria-hidden="true" />
        <span className="grow">{displayUrl}</span>
        <IconButton
          icon={isCopied ? Check : Copy}
          label={isCopied ? "Copied" : "Copy link"}
          onClick={copy}
        />
        {"share" in navigator && (
          <IconButton
            icon={Share2}
            label="Share link"
            onClick={() => void navigator.share({ url: siteUrl }).catch(() => undefined)}
          />
        )}
      </div>
    </WelcomeFrame>
  );
}

export function useSiteFacts(hero: Content<"hero">): readonly (readonly [string, string])[] {
  const { value: links = [] } = useEntity("connectLinks");
  const { value: forms = [] } = useEntity("forms");
  const { value: about } = useEntity("about");
  const { value: site } = useEntity("site");
  const fields = { name: hero.mainTitle, occupation: hero.subtitle };
  // False if the owner has written About's text or entered no occupation.
  const hasFirstSentence =
    about !== undefined && about.content === createFirstSentence(fields, site?.language ?? "en");
  const form = forms.find(({ isActive }) => isActive);
  const platforms = links.map(({ platform }) => getPlatform(platform).label);
  return [
    ["First screen", describeFirstScreen(hero)],
    ...(hasFirstSentence ? [["About", "a first sentence"] as const] : []),
    ...(platforms.length > 0 ? [["Links", platforms.join(", ")] as const] : []),
    ...(form ? [["Enquiry form", form.name || form.title] as const] : []),
  ];
}

function describeFirstScreen({ backgroundImage, buttonText }: Content<"hero">): string {
  if (buttonText)
    return backgroundImage ? "your name, your photo and a button" : "your name and a button";
  return backgroundImage ? "your name and photo" : "your name";
}
