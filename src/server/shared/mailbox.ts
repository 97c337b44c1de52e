/** The mailbox that an address delivers to, so that one person doesn't count as many. */

export const mailDomainOf = (address: string): string =>
  address.slice(address.lastIndexOf("@") + 1);

/** ann+7@example.com reaches ann@example.com, and a.n.n@googlemail.com reaches ann@gmail.com. */
export function mailboxOf(address: string): string {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  const plain = local.replace(/\+.*$/s, "");
  return /^(?:gmail|googlemail)\.com$/.test(domain)
    ? `${plain.replaceAll(".", "")}@gmail.com`
    : `${plain}@${domain}`;
}
