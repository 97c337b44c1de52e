declare module "mailparser" {
  interface Addresses {
    readonly value: readonly { readonly name: string; readonly address?: string }[];
  }
  interface ParsedMail {
    readonly subject?: string;
    readonly from?: Addresses;
    readonly replyTo?: Addresses;
    readonly text?: string;
    readonly html: string | false;
    readonly messageId?: string;
    readonly headers: ReadonlyMap<string, unknown>;
  }
  export function simpleParser(source: Buffer): Promise<ParsedMail>;
}
