/** The style sheet of an extra, where it is shown: other pages don't load it. */
import { useRouter } from "@tanstack/react-router";
import { usePageContext } from "../../shared/pageContext.ts";

/**
 * The style sheet with the key `extra`, placed before the extra's first element. On the site it is part of the page,
 * since a request for each sheet would delay the first picture. The dashboard's previews link it.
 */
export function ExtraStyles({ extra }: { readonly extra: string }) {
  const { context, ssr } = useRouter().options;
  const href = usePageContext().assets.extraStyles[extra];
  const css = context.server?.inline.extraStyles[extra];
  if (css === undefined) return <link rel="stylesheet" href={href} />;
  return <style nonce={ssr?.nonce} dangerouslySetInnerHTML={{ __html: css }} />;
}
