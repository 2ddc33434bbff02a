// Owns by which settings a request is answered: the ones that were in force when it was judged, whatever is in force by the
// time the answer is worded.
import type { IncomingMessage } from 'node:http';
import type { LiveSettings } from '@tessera/settings';
import type { SsoSettings } from './settings.js';

export class RequestSettings {
  private readonly fixed = new WeakMap<IncomingMessage, SsoSettings>();

  constructor(private readonly live: LiveSettings<SsoSettings>) {}

  /** Those in force when it was first asked about the request. */
  of(request: IncomingMessage): SsoSettings {
    const known = this.fixed.get(request);
    if (known !== undefined) return known;
    const { current } = this.live;
    this.fixed.set(request, current);
    return current;
  }
}
