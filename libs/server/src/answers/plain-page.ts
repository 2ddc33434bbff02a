// A page of a server without templates: a heading, paragraphs and links, in the look of the login page.
import { createHash } from 'node:crypto';
import type { Answer } from './answer.js';
import { html } from './html.js';

/** Content is plain text, and is escaped. */
export interface PlainPage {
  readonly status?: number | undefined;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Address and text of each. */
  readonly links?: readonly PlainLink[];
  /** Smaller, at the end. */
  readonly notes?: readonly PlainLink[];
  /** URL of the server for browsers. */
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export type PlainLink = readonly [href: string, text: string];

const STYLE =
  ':root{color-scheme:light dark}*{box-sizing:border-box}' +
  'body{margin:0;padding:12vh 1rem 1.5rem;background:#eef1f6;color:#1a202c;' +
  'font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}' +
  'main{max-width:30rem;margin:0 auto;padding:clamp(1.25rem,6vw,2.25rem);background:#fff;' +
  'border:1px solid #dde2ea;border-radius:1rem}' +
  'h1{margin:0;font-size:1.5rem;line-height:1.25}p{margin:.75rem 0 0}' +
  'a{color:#3346d3}.button{display:inline-block;margin-top:.5rem;padding:.5rem 1.25rem;' +
  'font-weight:600;text-decoration:none;color:#fff;background:#3346d3;border-radius:.5rem}' +
  'ul{margin:1.5rem 0 0;padding:0;list-style:none;font-size:.875rem}li a{display:inline-block;padding:.25rem 0}' +
  '@media(prefers-color-scheme:dark){body{background:#0f1319;color:#e9edf3}' +
  'main{background:#191f29;border-color:#2b3442}a{color:#aab6f5}.button{color:#fff}}';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Allows our own style and nothing else. */
const POLICY =
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function plainPage(page: PlainPage): Answer {
  const { status = 200, title, paragraphs, links = [], notes = [], baseUrl, headers = {} } = page;
  const name = escapeHtml(title);
  const lines = [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${name}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<main>',
    `<h1>${name}</h1>`,
    ...paragraphs.map((each) => `<p>${escapeHtml(each)}</p>`),
    ...links.map((each) => `<p>${linkTo(each, ' class="button"')}</p>`),
    ...(notes.length > 0
      ? ['<ul>', ...notes.map((each) => `<li>${linkTo(each)}</li>`), '</ul>']
      : []),
    '</main>',
    '</body>',
    '</html>',
  ];
  return html({ status, body: `${lines.join('\n')}\n`, baseUrl, policy: POLICY, headers });
}

function linkTo([href, text]: PlainLink, attributes = ''): string {
  return `<a${attributes} href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
}

/** Escapes `text` for the content of an HTML element, or for an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
