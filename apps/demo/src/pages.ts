// The pages of the applications, as HTML without scripts. They load nothing.
import { createHash } from 'node:crypto';
import type { Entry } from './proxying.js';
import type { Principal } from './sessions.js';
import { STYLE } from './style.js';

export interface PageOptions {
  readonly site: { readonly name: string; readonly url: string };
  readonly other: { readonly name: string; readonly url: string };
  readonly casUrl: string;
}

/** CAS 3.0 adds these to the attributes of the user: they tell how the login was done. */
const FACTS_OF_LOGIN = /^(authentication|credentialType|isFrom|longTerm|saml|successful)/;

/** For `Content-Security-Policy`. Signing out everywhere goes on to the server. */
export function policyOf(casUrl: string): string {
  const style = createHash('sha256').update(STYLE).digest('base64');
  const forms = `'self' ${new URL(casUrl).origin}`;
  return `default-src 'none'; img-src data:; style-src 'sha256-${style}'; form-action ${forms}; frame-ancestors 'none'; base-uri 'none'`;
}

/** @param entries or why there are none */
export function homePage(
  { site, other }: PageOptions,
  { user, attributes = {} }: Principal,
  entries: readonly Entry[] | string,
): string {
  const all = Object.entries(attributes);
  const facts = all.filter(([name]) => FACTS_OF_LOGIN.test(name));
  const own = all.filter(([name]) => !FACTS_OF_LOGIN.test(name));
  const isOwner = site.name === 'Calendar';
  return page(
    site.name,
    `Signed in as ${user}`,
    `<p>${site.name} knows this from the single sign-on server. It never saw the password.</p>
${listOf(own)}
<details><summary>What the server says about the login</summary>${listOf(facts)}</details>
<section><h2>${isOwner ? 'Today' : 'Today in Calendar'}</h2>
${typeof entries === 'string' ? `<p class="notice">No entries. ${escape(entries)}</p>` : tableOf(entries)}
${isOwner ? '' : `<p>${site.name} fetched this from Calendar for ${escape(user)}, with a proxy ticket.</p>`}</section>
<nav><a class="main button" href="${escape(other.url)}/sign-in">Open ${other.name}</a>
${buttonTo('/sign-out', 'Sign out here')}${buttonTo('/sign-out-everywhere', 'Sign out everywhere')}</nav>`,
  );
}

/** @param claims as the server gave them */
export function boardPage(
  { site, other }: PageOptions,
  { sub, ...claims }: { readonly sub: string; readonly [name: string]: unknown },
): string {
  const facts = Object.entries(claims).map(([name, value]) => [name, textOf(value)] as const);
  return page(
    site.name,
    `Signed in as ${sub}`,
    `<p>${site.name} speaks OpenID Connect, and is in the same session as the others. It never saw the password.</p>
${listOf(facts)}
<nav><a class="main button" href="${escape(other.url)}/sign-in">Open ${other.name}</a>
${buttonTo('/sign-out', 'Sign out here')}${buttonTo('/sign-out-everywhere', 'Sign out everywhere')}</nav>`,
  );
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** @param notice what has just happened */
export function signedOutPage({ site, other }: PageOptions, notice?: string): string {
  const status = notice === undefined ? '' : `<p class="notice" role="status">${notice}</p>`;
  return page(
    site.name,
    'You are not signed in',
    `${status}<p>${site.name} has no login form. It sends you to the single sign-on server, which asks for your password only once for all applications.</p>
<nav><a class="main button" href="/sign-in">Sign in</a>
<a class="button" href="${escape(other.url)}/">Go to ${other.name}</a></nav>`,
  );
}

export function messagePage({ site }: PageOptions, message: string): string {
  return page(
    site.name,
    'You are not signed in',
    `<p class="notice" role="alert">${escape(message)}</p>
<nav><a class="main button" href="/sign-in">Try again</a></nav>`,
  );
}

function page(site: string, heading: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(heading)} · ${site}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body class="${site.toLowerCase()}"><header><span aria-hidden="true">${site.charAt(0)}</span>${site}</header>
<main><h1>${escape(heading)}</h1>${content}</main></body></html>
`;
}

function listOf(attributes: readonly (readonly [string, string | readonly string[]])[]): string {
  const lines = attributes.map(
    ([name, values]) => `<dt>${escape(name)}</dt><dd>${escape([values].flat().join(', '))}</dd>`,
  );
  return `<dl>${lines.join('\n')}</dl>`;
}

function tableOf(entries: readonly Entry[]): string {
  const lines = entries.map(
    ({ time, title }) => `<li><time>${escape(time)}</time> ${escape(title)}</li>`,
  );
  return `<ul>${lines.join('\n')}</ul>`;
}

function buttonTo(path: string, label: string): string {
  return `<form method="post" action="${path}"><button class="button">${label}</button></form>`;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
