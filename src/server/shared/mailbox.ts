/** The domain of an email address, in lower case. */
export const getMailDomain = (address: string): string =>
  address.slice(address.lastIndexOf("@") + 1).toLowerCase();

/**
 * Returns the mailbox behind an address, so that one person doesn't count as many: ann+7@example.com reaches
 * ann@example.com, and a.n.n@googlemail.com reaches ann@gmail.com.
 */
export function normalizeMailbox(address: string): string {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  const untagged = local.replace(/\+.*$/s, "");
  return /^(?:gmail|googlemail)\.com$/.test(domain)
    ? `${untagged.replaceAll(".", "")}@gmail.com`
    : `${untagged}@${domain}`;
}
