import { expect, test } from '@jest/globals';
import { SighupHandler } from './sighup.js';

/** A process whose terminal says this at its start, and that at the signal. */
function hangUp(atStart: string | undefined, atSignal: string | undefined): string[] {
  const said: string[] = [];
  const faults = [atStart, atSignal];
  const hangUps = new SighupHandler(() => faults.shift());
  hangUps.onTerminalClosed(() => said.push('end'));
  hangUps.onReload(() => said.push('reload'));
  hangUps.hear();
  return said;
}

test.each<[string, string | undefined, string | undefined, string]>([
  ['reloads where the terminal is still there', undefined, undefined, 'reload'],
  ['ends where the terminal is gone', undefined, 'ENXIO', 'end'],
  ['ends where the terminal is going', undefined, 'EIO', 'end'],
  ['reloads where it cannot be known, since files are short', undefined, 'EMFILE', 'reload'],
  ['reloads a service, which never had a terminal', 'ENXIO', 'ENXIO', 'reload'],
  ['reloads where there are no terminals at all', 'ENOENT', 'ENOENT', 'reload'],
])('SIGHUP %s', (_rule, atStart, atSignal, said) => {
  expect(hangUp(atStart, atSignal)).toEqual([said]);
});

test('what comes before anybody listens is kept, and told once', () => {
  const said: string[] = [];
  const hangUps = new SighupHandler(() => undefined);
  hangUps.hear();
  hangUps.hear();
  hangUps.onTerminalClosed(() => said.push('end'));
  hangUps.onReload(() => said.push('reload'));
  expect(said).toEqual(['reload']);
  hangUps.hear();
  expect(said).toEqual(['reload', 'reload']);
});
