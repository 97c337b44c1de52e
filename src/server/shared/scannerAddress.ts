/** Parses the setting CLAMD, the virus scanner's address. */

export interface ScannerAddress {
  /** The address as shown in messages. */
  readonly location: string;
  readonly connectOptions:
    { readonly path: string } | { readonly host: string; readonly port: number };
}

const SCANNER_ADDRESS_RULE =
  "must be the address of clamd: unix:/run/clamav/clamd.ctl, or host:3310";

/** Parses CLAMD, the virus scanner's address. Throws an Error whose message follows the setting's name. */
export function parseScannerAddress(text: string): ScannerAddress {
  const path = /^unix:(\/.+)$/.exec(text)?.[1];
  if (path !== undefined) return { location: text, connectOptions: { path } };
  const [, host, port] = /^([a-z\d.-]+|\[[\da-f:]+\]):(\d{1,5})$/i.exec(text) ?? [];
  if (host === undefined || !URL.canParse(`http://${text}`)) throw new Error(SCANNER_ADDRESS_RULE);
  return {
    location: text,
    connectOptions: { host: host.replace(/^\[|\]$/g, ""), port: Number(port) },
  };
}
