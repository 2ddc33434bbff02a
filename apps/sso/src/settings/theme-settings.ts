// The settings of the pages for browsers: name, logo, colour, footer, links, and a directory that overrides files.
import { Matches, MaxLength } from 'class-validator';
import { Setting, text, type Violation } from '@tessera/config';

const MAX_TEXT = 500;
const LINK_PROTOCOLS = ['http:', 'https:', 'mailto:'];

export class ThemeSettings {
  /** The name in the heading and the title of each page. */
  @Setting('sso.theme.name', text) @MaxLength(MAX_TEXT) name = 'Tessera';
  /** An https URL, or the name of a file in `public` of the directory; empty for the own mark. */
  @Setting('sso.theme.logo', text) @MaxLength(MAX_TEXT) logo = '';
  @Setting('sso.theme.accent-color', text)
  @Matches(/^#[0-9A-Fa-f]{6}$/, { message: 'must be a colour such as #1a56c4' })
  accentColor = '#3346d3';
  /** Plain text at the end of each page. */
  @Setting('sso.theme.footer', text) @MaxLength(MAX_TEXT) footer = '';
  /** May hold `views`, `public` and `locales`, whose files replace those of the same name; empty for none. */
  @Setting('sso.theme.directory', text) directory = '';

  /** Below the login form: where people change a password, or get a new one. Empty for no link, as for the others. */
  @Setting('sso.theme.links.password', text) passwordLink = '';
  /** At the end of each page, like the next two. */
  @Setting('sso.theme.links.help', text) helpLink = '';
  @Setting('sso.theme.links.privacy', text) privacyLink = '';
  /** Of those who run the site. */
  @Setting('sso.theme.links.imprint', text) imprintLink = '';

  *check(): Iterable<Violation> {
    const isFile = /^[A-Za-z0-9._-]*$/.test(this.logo);
    if (!isFile && URL.parse(this.logo)?.protocol !== 'https:') {
      yield { key: 'sso.theme.logo', message: 'must be an https URL or the name of a file' };
    }
    const links = [
      ['password', this.passwordLink],
      ['help', this.helpLink],
      ['privacy', this.privacyLink],
      ['imprint', this.imprintLink],
    ] as const;
    for (const [name, url] of links) {
      if (url === '' || LINK_PROTOCOLS.includes(URL.parse(url)?.protocol ?? '')) continue;
      yield { key: `sso.theme.links.${name}`, message: 'must be an http, https or mailto URL' };
    }
  }
}
