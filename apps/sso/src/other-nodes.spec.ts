import { expect, test } from '@jest/globals';
import type { AnnouncementEvent } from '@tessera/database';
import { reloadAfterOthers } from './other-nodes.js';

test.each<[AnnouncementEvent, readonly string[]]>([
  ['first connection', []],
  ['announcement of our own', []],
  ['announcement', ['another node']],
  ['later connection', ['another node']],
])('%s: reloads for %j', (occasion, expected) => {
  const causes: string[] = [];
  const announcements = {
    listen: (_channel: string, hear: (occasion: AnnouncementEvent) => void) => hear(occasion),
  };
  reloadAfterOthers(announcements, (cause) => {
    causes.push(cause);
    return Promise.resolve({ changed: [], restart: [] });
  });
  expect(causes).toEqual(expected);
});
