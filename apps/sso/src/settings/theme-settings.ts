// The settings of the pages for browsers: name, logo, colour, footer, and a directory that overrides files.
import { Matches, MaxLength } from 'class-validator';
import { Setting, text, type Violation } from '@tessera/config';

const MAX_TEXT = 500;

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

  *check(): Iterable<Violation> {
    if (this.logo === '' || /^[A-Za-z0-9._-]+$/.test(this.logo)) return;
    if (URL.parse(this.logo)?.protocol === 'https:') return;
    yield { key: 'sso.theme.logo', message: 'must be an https URL or the name of a file' };
  }
}
