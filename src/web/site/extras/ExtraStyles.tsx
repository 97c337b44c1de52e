/** The style sheet of an extra. Only pages that show the extra load it. */
import { useRouter } from "@tanstack/react-router";
import { usePageContext } from "../../shared/pageContext.ts";

/**
 * Renders the style sheet with the key `extra`. Place it before the extra's first element. On the site the page
 * includes its text, since a request for each sheet would delay the first picture. The dashboard's previews link to it.
 */
export function ExtraStyles({ extra }: { readonly extra: string }) {
  const { context, ssr } = useRouter().options;
  const href = usePageContext().assets.extraStyles[extra];
  const css = context.server?.inline.extraStyles[extra];
  if (css === undefined) return <link rel="stylesheet" href={href} />;
  return <style nonce={ssr?.nonce} dangerouslySetInnerHTML={{ __html: css }} />;
}
