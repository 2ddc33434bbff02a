// Pins the settings of a request, so that a reload during the request does not change its answer.
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { LiveSettings } from '@tessera/config';
import type { SsoSettings } from './settings.js';

@Injectable()
export class RequestSettings {
  private readonly byRequest = new WeakMap<IncomingMessage, SsoSettings>();

  constructor(@Inject(LiveSettings) private readonly live: LiveSettings<SsoSettings>) {}

  /** The settings that were current at the first call for this request. */
  of(request: IncomingMessage): SsoSettings {
    const known = this.byRequest.get(request);
    if (known !== undefined) return known;
    const { current } = this.live;
    this.byRequest.set(request, current);
    return current;
  }
}
