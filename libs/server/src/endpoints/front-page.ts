// Renders the HTML front page of an application.
import { createHash } from 'node:crypto';
import type { Answer } from '../answer.js';

/** The content of the page, all of it public. */
export interface FrontPage {
  readonly title: string;
  /** Plain text. */
  readonly paragraphs: readonly string[];
  /** Further pages of the application: path below the context path, and what it is for. */
  readonly pages?: readonly (readonly [path: string, purpose: string])[];
  /** Path below which the application answers, such as `/cas`; empty for none. */
  readonly contextPath: string;
  /** Documents of the project that describe the application: path and subject. */
  readonly documents: readonly (readonly [path: string, subject: string])[];
}

const STYLE =
  'body{margin:0;background:#fff;color:#1b1f24;font:1rem/1.5 system-ui,sans-serif}' +
  'main{max-width:40rem;margin:3rem auto;padding:0 1rem}' +
  'h1{font-size:1.6rem}h2{font-size:1.1rem;margin-top:2rem}' +
  'a{color:#0b57d0}code,a{overflow-wrap:anywhere}' +
  '@media(prefers-color-scheme:dark){body{background:#16191d;color:#e3e6ea}a{color:#8ab4f8}}';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Allows our own style and nothing else. */
const POLICY =
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEALTH = [
  ['/health/live', 'the process answers'],
  ['/health/ready', 'it can serve requests'],
] as const;

export function renderFrontPage(page: FrontPage): Answer {
  return {
    status: 200,
    type: 'text/html;charset=UTF-8',
    body: html(page),
    headers: { 'Content-Security-Policy': POLICY },
  };
}

function html({ title, paragraphs, pages = [], contextPath, documents }: FrontPage): string {
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
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...section('Pages', '', linksTo(contextPath, pages)),
    ...section('Health', '', linksTo(contextPath, HEALTH)),
    ...section(
      'Documentation',
      '<p>In the folder of the project:</p>',
      documents.map(
        ([path, subject]) => `<li><code>${escapeHtml(path)}</code>: ${escapeHtml(subject)}</li>`,
      ),
    ),
    '</main>',
    '</body>',
    '</html>',
  ];
  return `${lines.join('\n')}\n`;
}

/** A heading, a paragraph and a list; nothing without items. */
function section(heading: string, paragraph: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) return [];
  const text = paragraph === '' ? [] : [paragraph];
  return [`<h2>${heading}</h2>`, ...text, '<ul>', ...items, '</ul>'];
}

function linksTo(
  contextPath: string,
  pages: readonly (readonly [path: string, purpose: string])[],
): readonly string[] {
  return pages.map(([path, purpose]) => {
    const escaped = escapeHtml(contextPath + path);
    return `<li><a href="${escaped}">${escaped}</a>: ${purpose}</li>`;
  });
}

/** Escapes `text` for the content of an HTML element, or for an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
