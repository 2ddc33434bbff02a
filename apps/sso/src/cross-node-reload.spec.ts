import { expect, test } from '@jest/globals';
import type { AnnouncementEvent } from '@tessera/database';
import { reloadOnAnnouncement } from './cross-node-reload.js';

test.each<[AnnouncementEvent, readonly string[]]>([
  ['first connection', []],
  ['announcement of our own', []],
  ['announcement', ['another node']],
  ['later connection', ['another node']],
])('%s: reloads for %j', (event, expected) => {
  const reasons: string[] = [];
  const announcements = {
    listen: (_channel: string, onEvent: (event: AnnouncementEvent) => void) => onEvent(event),
  };
  reloadOnAnnouncement(announcements, (reason) => {
    reasons.push(reason);
    return Promise.resolve({ changed: [], restart: [] });
  });
  expect(reasons).toEqual(expected);
});
