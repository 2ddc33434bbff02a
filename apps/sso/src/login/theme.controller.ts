// The style sheet with the colours of the theme. Other files of /assets are served from the directories `public`.
import { Controller, Get, Inject } from '@nestjs/common';
import { Answer } from '@tessera/server';
import { readableOn, textColorOn } from './contrast.js';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';

@Controller('assets')
export class ThemeController {
  constructor(@Inject(ssoConfig.KEY) private readonly settings: SsoSettings) {}

  @Get('theme.css')
  show(): Answer {
    const { accentColor } = this.settings.theme;
    return new Answer(200, 'text/css;charset=UTF-8', styleOf(accentColor.toLowerCase()));
  }
}

/** `--card` of style.css, in light and in dark mode. */
const CARDS = { light: '#ffffff', dark: '#191f29' } as const;

/** Text and outlines of the colour are made readable; a button has the colour itself. */
function styleOf(accent: string): string {
  const linkIn = (mode: keyof typeof CARDS): string => `--link:${readableOn(CARDS[mode], accent)}`;
  return (
    `:root{--accent:${accent};--on-accent:${textColorOn(accent)};${linkIn('light')}}\n` +
    `@media(prefers-color-scheme:dark){:root{${linkIn('dark')}}}\n`
  );
}
