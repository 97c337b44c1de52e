/** Returns the domain of an email address, in lower case. */
export const getMailDomain = (address: string): string =>
  address.slice(address.lastIndexOf("@") + 1).toLowerCase();

/**
 * Returns the main address of a mailbox: ann@example.com for the input ann+7@example.com, and ann@gmail.com for
 * a.n.n@googlemail.com. Limits count these addresses of a person together.
 */
export function normalizeMailbox(address: string): string {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  const untagged = local.replace(/\+.*$/s, "");
  return /^(?:gmail|googlemail)\.com$/.test(domain)
    ? `${untagged.replaceAll(".", "")}@gmail.com`
    : `${untagged}@${domain}`;
}
