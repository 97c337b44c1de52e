/**
 * Renders the site's messages as HTML and as plain text:
 *
 *     const content = renderMessage({ ...mail.getBranding(), title, blocks: [{ kind: "text", text }], footer });
 *     await mail.outbox.add({ kind, to, subject, ...content });
 *
 * The HTML has tables and inline styles, since mail programs support little else. It is at most 600 px wide, and dark
 * if the mail program is in dark mode.
 */
import type { ReactElement, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { MessageBlock, MessageContent } from "../../shared/message.ts";
import { addColon } from "../../../web/words/placeholders.ts";
import { rewritePictureOrigin } from "../../shared/pictureOrigin.ts";
import {
  createDarkModeCss,
  getTextDirection,
  FONT_STACK,
  MESSAGE_STYLES,
  inlineStyles,
  convertHtmlToPlainText,
} from "./messageStyles.ts";

export function renderMessage(frame: MessageContent): { text: string; html: string } {
  return {
    text: renderText(frame),
    html: addOutlookTable(`<!doctype html>${renderToStaticMarkup(<MessagePage {...frame} />)}`),
  };
}

function renderText(frame: MessageContent): string {
  const { siteName, title, blocks, footer, links = [], address, colonFormat } = frame;
  const blockTexts = blocks
    .map((block) => renderBlockText(block, frame))
    .filter((part) => part !== "");
  const linkTexts = links.map((link) => renderLinkText(link, colonFormat));
  const footerLines = [siteName, footer, ...linkTexts, address];
  return [title, ...blockTexts, ["-- ", ...footerLines.filter(Boolean)].join("\n")].join("\n\n");
}

const renderLinkText = (
  { label, url }: { readonly label: string; readonly url: string },
  withColon = "{text}:",
) => `${addColon(label, { withColon })} ${url}`;

function renderBlockText(
  block: MessageBlock,
  { siteUrl, colonFormat }: Pick<MessageContent, "siteUrl" | "colonFormat">,
): string {
  switch (block.kind) {
    case "answer":
      return `${block.label}\n${block.answer}`;
    case "quote":
      return block.text.replace(/^/gm, "> ");
    case "button":
      return renderLinkText(block, colonFormat);
    case "rich":
      return convertHtmlToPlainText(block.html, siteUrl);
    case "line":
      return "";
    default:
      return block.text;
  }
}

function MessagePage(frame: MessageContent): ReactElement {
  const { siteName, color, language, title, blocks, footer, links = [], address, preview } = frame;
  const firstTextBlock = blocks.find(({ kind }) => kind === "text" || kind === "rich");
  const direction = getTextDirection(
    [title, firstTextBlock && renderBlockText(firstTextBlock, { siteUrl: undefined })].join(" "),
    language,
  );
  return (
    <html lang={language} dir={direction}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: createDarkModeCss() }} />
      </head>
      <body className="page" style={{ margin: 0, padding: 0, background: "#f2f3f5" }}>
        {preview && <div style={MESSAGE_STYLES.hidden}>{preview}</div>}
        <BoxTable className="page" width="100%" dir={direction}>
          <td align="center" style={{ padding: "24px 12px" }}>
            <wbr data-outlook="open" />
            <BoxTable className="card" width="100%" style={MESSAGE_STYLES.card} dir={direction}>
              <td style={{ ...MESSAGE_STYLES.content, borderTop: `4px solid ${color}` }}>
                <p className="quiet" style={{ ...MESSAGE_STYLES.quiet, margin: "0 0 12px" }}>
                  {siteName}
                </p>
                <h1 className="text" style={MESSAGE_STYLES.title}>
                  {title}
                </h1>
                {blocks.map((block, index) => (
                  <BlockView key={index} block={block} frame={frame} />
                ))}
              </td>
            </BoxTable>
            <div style={MESSAGE_STYLES.footer}>
              <QuietParagraph>{footer}</QuietParagraph>
              {links.map(({ label, url }) => (
                <QuietParagraph key={url}>
                  <a className="quiet" href={url} style={{ color: "#5c6670" }}>
                    {label}
                  </a>
                </QuietParagraph>
              ))}
              {address && <QuietParagraph>{splitIntoLines(address)}</QuietParagraph>}
            </div>
            <wbr data-outlook="close" />
          </td>
        </BoxTable>
      </body>
    </html>
  );
}

/** Adds a 600 px wide table in conditional comments for Outlook for Windows, which ignores `max-width`. */
const addOutlookTable = (html: string) =>
  html
    .replace(
      '<wbr data-outlook="open"/>',
      '<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0"><tr><td><![endif]-->',
    )
    .replace('<wbr data-outlook="close"/>', "<!--[if mso]></td></tr></table><![endif]-->");

/** A box in a message: a table with a single cell. `children` is its `td`. */
function BoxTable({ children, style, ...rest }: React.ComponentProps<"table">) {
  return (
    <table
      role="presentation"
      {...rest}
      cellPadding={0}
      cellSpacing={0}
      style={{ borderCollapse: "separate", ...style }}
    >
      <tbody>
        <tr>{children}</tr>
      </tbody>
    </table>
  );
}

interface BlockProps {
  readonly block: MessageBlock;
  readonly frame: MessageContent;
}

function BlockView({ block, frame }: BlockProps) {
  switch (block.kind) {
    case "heading":
      return (
        <h2 className="text" style={MESSAGE_STYLES.heading} dir="auto">
          {block.text}
        </h2>
      );
    case "text":
      return <Paragraph text={block.text} />;
    case "small":
      return <QuietParagraph margin="0 0 16px">{splitIntoLines(block.text)}</QuietParagraph>;
    case "answer":
      return (
        <>
          <QuietParagraph margin="0 0 2px">{block.label}</QuietParagraph>
          <Paragraph text={block.answer} />
        </>
      );
    case "quote":
      return (
        <blockquote className="quote" style={MESSAGE_STYLES.quote} dir="auto">
          {splitIntoLines(block.text)}
        </blockquote>
      );
    case "button":
      return <MessageButton {...block} {...frame} />;
    case "rich": {
      const html = inlineStyles(rewritePictureOrigin(block.html, frame.pictureOrigin), frame);
      const style = { ...MESSAGE_STYLES.text, margin: 0 };
      return (
        <div className="text" style={style} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
      );
    }
    case "line":
      return <hr className="line" style={MESSAGE_STYLES.line} />;
  }
}

const Paragraph = ({ text }: { readonly text: string }) => (
  <p className="text" style={MESSAGE_STYLES.text} dir="auto">
    {splitIntoLines(text)}
  </p>
);

interface QuietParagraphProps {
  readonly margin?: string;
  readonly children: ReactNode;
}

const QuietParagraph = ({ margin, children }: QuietParagraphProps) => (
  <p className="quiet" style={{ ...MESSAGE_STYLES.quiet, ...(margin && { margin }) }} dir="auto">
    {children}
  </p>
);

interface ButtonProps extends Pick<MessageContent, "color" | "onColor"> {
  readonly label: string;
  readonly url: string;
}

/** Renders a button as a colored table cell, since Outlook gives links no padding. */
function MessageButton({ label, url, color, onColor }: ButtonProps) {
  return (
    <BoxTable style={{ margin: "8px 0 24px" }}>
      <td style={{ backgroundColor: color, borderRadius: 8, fontFamily: FONT_STACK }}>
        <a href={url} style={{ ...MESSAGE_STYLES.button, color: onColor }}>
          {label}
        </a>
      </td>
    </BoxTable>
  );
}

function splitIntoLines(text: string): ReactNode[] {
  return text
    .split("\n")
    .flatMap((line, index) => (index === 0 ? [line] : [<br key={index} />, line]));
}
