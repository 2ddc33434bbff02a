// The style sheet with the colours of the theme. Other files of /assets are served from the directories `public`.
import { All, Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RequestError, send } from '@tessera/server';
import { RequestSettings } from '../request-settings.js';

@Controller('assets')
export class ThemeController {
  constructor(@Inject(RequestSettings) private readonly settings: RequestSettings) {}

  @Get('theme.css')
  show(@Req() request: Request, @Res() response: Response): void {
    const { accentColor } = this.settings.of(request).theme;
    const body = `:root{--accent:${accentColor};--on-accent:${textColorOn(accentColor)}}\n`;
    send(response, { status: 200, type: 'text/css;charset=UTF-8', body });
  }

  @All('theme.css')
  other(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, HEAD');
  }
}

/** Black or white, whichever contrasts more. @param color `#rrggbb` @see WCAG 2.2, "relative luminance" */
function textColorOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 0.179 ? '#000' : '#fff';
}
