/** The third screen of the welcome assistant: links to profiles on other sites. */
import type { LucideIcon } from "lucide-react";
import Check from "lucide-react/icons/check";
import Mail from "lucide-react/icons/mail";
import MessageCircle from "lucide-react/icons/message-circle";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { usePageContext } from "../../shared/pageContext.ts";
import { Button } from "../../ui/Button.tsx";
import { createAriaAttributes } from "../../ui/Field.tsx";
import { Form, useForm } from "../../ui/Form.tsx";
import { useEntity } from "../data/useEntity.ts";
import { useUnsentForm } from "../data/useUnsentForm.ts";
import { PlatformIcon } from "../parts/PlatformIcon.tsx";
import { AsyncContent } from "../../ui/AsyncContent.tsx";
import {
  LINK_CHANNELS,
  type Channel,
  createLink,
  type LinkResult,
  WEBSITE_CHANNEL,
} from "./channelLinks.ts";
import { saveLinks } from "./saveWelcome.ts";
import {
  type StepProps,
  useStepSave,
  createWelcomeForm,
  StepButtons,
  WelcomeFrame,
} from "./WelcomeFrame.tsx";

export function LinksStep(props: StepProps) {
  const linksQuery = useEntity("connectLinks");
  const siteQuery = useEntity("site");
  return (
    <AsyncContent state={linksQuery} subject="your links">
      {(storedLinks) => (
        <AsyncContent state={siteQuery} subject="the site">
          {({ contactEmail }) => <LinksForm {...props} links={storedLinks} email={contactEmail} />}
        </AsyncContent>
      )}
    </AsyncContent>
  );
}

interface LinksFormProps extends StepProps {
  readonly links: NonNullable<ReturnType<typeof useEntity<"connectLinks">>["value"]>;
  readonly email: string | null;
}

function LinksForm({ hero, links, email, onNext, onBack }: LinksFormProps) {
  const { styles } = usePageContext();
  const unsentForm = useUnsentForm(
    createWelcomeForm("links"),
    collectStoredAddresses(links, email),
  );
  const [touchedKeys, setTouchedKeys] = useState<ReadonlySet<string>>(new Set());
  const [hasWebsiteField, setHasWebsiteField] = useState(
    unsentForm.values[WEBSITE_CHANNEL.key] !== "",
  );
  const { save, go, ...saveState } = useStepSave(onNext);
  const channels = hasWebsiteField ? [...LINK_CHANNELS, WEBSITE_CHANNEL] : LINK_CHANNELS;
  const inputs = channels.map((channel) => {
    const text = (unsentForm.values[channel.key] ?? "").trim();
    return { channel, result: text === "" ? undefined : createLink(channel, text) };
  });
  const invalidInput = inputs.find(({ result }) => result && !result.ok);
  const doubtfulInput = inputs.find(
    ({ channel, result }) => hasWarning(result) && !touchedKeys.has(channel.key),
  );
  const form = useForm(unsentForm, {
    save: async () => {
      if (!invalidInput && !doubtfulInput)
        return save(async () => {
          await saveLinks(inputs, links);
          unsentForm.discard();
        });
      setTouchedKeys(new Set(channels.map(({ key }) => key)));
      document.getElementById(`place-${(invalidInput ?? doubtfulInput)?.channel.key}`)?.focus();
    },
  });
  return (
    <WelcomeFrame
      step={3}
      title="Where people find you"
      note="Type a username or paste a link. Leave the rest empty."
      hero={hero}
      styles={styles}
      footer={<StepButtons onBack={() => go(onBack)} onNext={form.submit} {...saveState} />}
    >
      <Form form={form} className="stack">
        {inputs.map(({ channel, result }) => (
          <ChannelField
            key={channel.key}
            channel={channel}
            value={unsentForm.values[channel.key] ?? ""}
            result={touchedKeys.has(channel.key) ? result : undefined}
            onChange={(text) => form.setValues({ [channel.key]: text })}
            onBlur={() => setTouchedKeys(new Set([...touchedKeys, channel.key]))}
          />
        ))}
        <button type="submit" hidden aria-label="Next" />
      </Form>
      {!hasWebsiteField && <AddLinkButton onClick={() => setHasWebsiteField(true)} />}
      <p className="quiet small mt-12">Only the links you enter appear on your site.</p>
    </WelcomeFrame>
  );
}

/** Returns the stored links and the contact email address by channel. An empty text is a missing link. */
const collectStoredAddresses = (
  links: LinksFormProps["links"],
  email: string | null,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...LINK_CHANNELS, WEBSITE_CHANNEL].map(({ key }) => {
      const address = key === "email" ? email : links.find(({ platform }) => platform === key)?.url;
      return [key, address ?? ""];
    }),
  );

const AddLinkButton = ({ onClick }: { onClick: () => void }) => (
  <Button variant="quiet" onClick={onClick}>
    <Plus size={16} aria-hidden="true" /> Add another link
  </Button>
);

/** A link with a warning is saved only after the owner has seen the warning. */
const hasWarning = (result: LinkResult | undefined) =>
  result?.ok === true && result.warning !== undefined;

/** Other channels have the platform's icon. */
const CHANNEL_ICONS: Partial<Record<Channel["kind"], LucideIcon>> = {
  phone: MessageCircle,
  email: Mail,
};

/** `result` is undefined until the field loses focus. */
interface ChannelFieldProps {
  readonly channel: Channel;
  readonly value: string;
  readonly result: LinkResult | undefined;
  readonly onChange: (text: string) => void;
  readonly onBlur: () => void;
}

function ChannelField({ channel, value, result, onChange, onBlur }: ChannelFieldProps) {
  const id = `place-${channel.key}`;
  const isInvalid = result !== undefined && !result.ok;
  const Icon = CHANNEL_ICONS[channel.kind];
  return (
    <div className="channel-field" data-wrong={isInvalid || undefined}>
      {Icon ? (
        <Icon size={18} className="link-icon quiet" aria-hidden="true" />
      ) : (
        <PlatformIcon platform={channel.key} />
      )}
      <input
        {...createAriaAttributes({ id, hasNote: result !== undefined, isInvalid })}
        type={channel.kind === "email" ? "email" : channel.kind === "phone" ? "tel" : "text"}
        aria-label={channel.label}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        placeholder={channel.placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onBlur={onBlur}
      />
      {result?.ok && !result.warning && (
        <Check size={16} className="link-check" data-tone="ok" aria-hidden="true" />
      )}
      {result && (
        <p
          id={`${id}-note`}
          className={result.ok && !result.warning ? "field-hint" : "field-error"}
        >
          {result.ok
            ? (result.warning ?? result.url.replace(/^https:\/\/|^mailto:/, ""))
            : result.message}
        </p>
      )}
    </div>
  );
}
