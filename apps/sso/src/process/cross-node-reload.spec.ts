import { expect, test } from '@jest/globals';
import type { AnnouncementEvent } from '@tessera/database';
import { CrossNodeReload } from './cross-node-reload.js';

test.each<[AnnouncementEvent, readonly string[]]>([
  ['first connection', []],
  ['announcement of our own', []],
  ['announcement', ['another node']],
  ['later connection', ['another node']],
])('%s: reloads for %j', (event, expected) => {
  const reasons: string[] = [];
  const announcements = {
    listen: (_channel: string, onEvent: (event: AnnouncementEvent) => void) => onEvent(event),
    announce: () => Promise.reject(new Error('a reload for another node is not announced')),
  };
  const reloads = new CrossNodeReload(announcements, {
    reload: (reason) => {
      reasons.push(reason);
      return Promise.resolve({ changed: [], restart: [] });
    },
  });
  reloads.onModuleInit();
  expect(reasons).toEqual(expected);
});
