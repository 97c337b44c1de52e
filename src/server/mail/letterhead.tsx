/**
 * What every message looks like: tables and inline styles, since mail programs know little else; 600 px wide,
 * dark where the reader's program is, in the site's name and color, and the same words as plain text.
 */
import type { ReactElement, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

/** Part of a message, in both forms. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  /** A question and its answer. */
  | { readonly kind: "answer"; readonly label: string; readonly answer: string }
  | { readonly kind: "button"; readonly label: string; readonly url: string }
  | { readonly kind: "small"; readonly text: string };

export interface Letter {
  readonly siteName: string;
  /** For the button: the site's own, and the words on it. */
  readonly color: string;
  readonly onColor: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Why this message came. */
  readonly foot: string;
}

/** A message's two bodies. */
export function writtenAs(letter: Letter): { text: string; html: string } {
  return { text: asText(letter), html: asHtml(letter) };
}

function asText({ siteName, title, blocks, foot }: Letter): string {
  return [title, ...blocks.map(textOf), `-- \n${siteName}\n${foot}`].join("\n\n");
}

function textOf(block: Block): string {
  switch (block.kind) {
    case "answer":
      return `${block.label}\n${block.answer}`;
    case "button":
      return `${block.label}: ${block.url}`;
    default:
      return block.text;
  }
}

const FONT = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/** Programs that know it turn the colors for a dark screen; all others ignore it. */
const DARK = `@media (prefers-color-scheme: dark) {
  .ground { background: #111315 !important; }
  .sheet { background: #1b1e21 !important; }
  .words { color: #e8eaed !important; }
  .quiet { color: #a9afb6 !important; }
}`;

function asHtml(letter: Letter): string {
  return `<!doctype html>${renderToStaticMarkup(<Page {...letter} />)}`;
}

function Page({ siteName, color, onColor, title, blocks, foot }: Letter): ReactElement {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: DARK }} />
      </head>
      <body className="ground" style={{ margin: 0, padding: 0, background: "#f2f3f5" }}>
        <Table className="ground" width="100%">
          <td align="center" style={{ padding: "24px 12px" }}>
            <Table className="sheet" width="100%" style={SHEET}>
              <td style={{ padding: "28px 28px 8px", fontFamily: FONT }}>
                <p className="quiet" style={{ ...QUIET, margin: "0 0 12px" }} dir="auto">
                  {siteName}
                </p>
                <h1 className="words" style={TITLE} dir="auto">
                  {title}
                </h1>
                {blocks.map((block, at) => (
                  <BlockView key={at} block={block} color={color} onColor={onColor} />
                ))}
              </td>
            </Table>
            <p className="quiet" style={{ ...QUIET, maxWidth: 600, margin: "16px auto 0" }}>
              {foot}
            </p>
          </td>
        </Table>
      </body>
    </html>
  );
}

interface TableProps {
  readonly className: string;
  readonly width: string;
  readonly style?: React.CSSProperties;
  readonly children: ReactNode;
}

/** A table of one cell, which is what a box is in a message. */
function Table({ className, width, style, children }: TableProps) {
  return (
    <table
      role="presentation"
      className={className}
      width={width}
      cellPadding={0}
      cellSpacing={0}
      style={{ borderCollapse: "collapse", ...style }}
    >
      <tbody>
        <tr>{children}</tr>
      </tbody>
    </table>
  );
}

function BlockView({
  block,
  color,
  onColor,
}: { block: Block } & Pick<Letter, "color" | "onColor">) {
  switch (block.kind) {
    case "text":
      return (
        <p className="words" style={WORDS} dir="auto">
          {lines(block.text)}
        </p>
      );
    case "answer":
      return (
        <>
          <p className="quiet" style={{ ...QUIET, margin: "0 0 2px" }} dir="auto">
            {block.label}
          </p>
          <p className="words" style={WORDS} dir="auto">
            {lines(block.answer)}
          </p>
        </>
      );
    case "button":
      return (
        <p style={{ margin: "8px 0 24px" }}>
          <a href={block.url} style={{ ...BUTTON, background: color, color: onColor }}>
            {block.label}
          </a>
        </p>
      );
    case "small":
      return (
        <p className="quiet" style={{ ...QUIET, margin: "0 0 16px" }} dir="auto">
          {lines(block.text)}
        </p>
      );
  }
}

function lines(text: string): ReactNode[] {
  return text.split("\n").flatMap((line, at) => (at === 0 ? [line] : [<br key={at} />, line]));
}

const SHEET = { maxWidth: 600, background: "#ffffff", borderRadius: 10 } as const;
const TITLE = {
  margin: "0 0 18px",
  color: "#15181b",
  fontFamily: FONT,
  fontSize: 22,
  lineHeight: "28px",
  overflowWrap: "anywhere",
} as const;
const WORDS = {
  margin: "0 0 16px",
  color: "#24292e",
  fontFamily: FONT,
  fontSize: 16,
  lineHeight: "24px",
  overflowWrap: "anywhere",
} as const;
const QUIET = {
  color: "#5c6670",
  fontFamily: FONT,
  fontSize: 13,
  lineHeight: "18px",
  overflowWrap: "anywhere",
} as const;
const BUTTON = {
  display: "inline-block",
  padding: "13px 22px",
  borderRadius: 8,
  fontFamily: FONT,
  fontSize: 16,
  fontWeight: 600,
  textDecoration: "none",
} as const;
