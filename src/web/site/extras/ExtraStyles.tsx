/** The style sheet of an extra. Only pages that show the extra load it. */
import { useRouter } from "@tanstack/react-router";
import { usePageContext } from "../../shared/pageContext.ts";

/** Place it before the extra's first element. A public page contains the sheet's text, which saves a request. */
export function ExtraStyles({ extra }: { readonly extra: string }) {
  const { context, ssr } = useRouter().options;
  const href = usePageContext().assets.extraStyles[extra];
  const css = context.server?.inline.extraStyles[extra];
  if (css === undefined) return <link rel="stylesheet" href={href} />;
  return <style nonce={ssr?.nonce} dangerouslySetInnerHTML={{ __html: css }} />;
}
