/** Which mailbox an address leads to, so that one isn't taken for many. */

/** The domain of an address. */
export const mailDomainOf = (address: string): string =>
  address.slice(address.lastIndexOf("@") + 1);

/** ann+7@example.com arrives where ann@example.com does, a.n.n@googlemail.com where ann@gmail.com does. */
export function mailboxOf(address: string): string {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  const plain = local.replace(/\+.*$/s, "");
  return /^(?:gmail|googlemail)\.com$/.test(domain)
    ? `${plain.replaceAll(".", "")}@gmail.com`
    : `${plain}@${domain}`;
}
