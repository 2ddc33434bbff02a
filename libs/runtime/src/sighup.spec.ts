import { expect, test } from '@jest/globals';
import { SighupHandler } from './sighup.js';

/** The listeners that SIGHUP calls, by the errors of the terminal at the start and at the signal. */
function callsOf(atStart: string | undefined, atSignal: string | undefined): string[] {
  const calls: string[] = [];
  const errors = [atStart, atSignal];
  const sighup = new SighupHandler(() => errors.shift());
  sighup.onTerminalClosed(() => calls.push('end'));
  sighup.onReload(() => calls.push('reload'));
  sighup.onSignal();
  return calls;
}

test.each<[string, string | undefined, string | undefined, string]>([
  ['reloads when the terminal is still open', undefined, undefined, 'reload'],
  ['ends when the terminal was closed', undefined, 'ENXIO', 'end'],
  ['ends when the terminal is being closed', undefined, 'EIO', 'end'],
  ['reloads when file descriptors are short, so that it is unknown', undefined, 'EMFILE', 'reload'],
  ['reloads a service, which never had a terminal', 'ENXIO', 'ENXIO', 'reload'],
  ['reloads when there are no terminals at all', 'ENOENT', 'ENOENT', 'reload'],
])('SIGHUP %s', (_rule, atStart, atSignal, call) => {
  expect(callsOf(atStart, atSignal)).toEqual([call]);
});

test('signals before there is a listener are kept, and are one call', () => {
  const calls: string[] = [];
  const sighup = new SighupHandler(() => undefined);
  sighup.onSignal();
  sighup.onSignal();
  sighup.onTerminalClosed(() => calls.push('end'));
  sighup.onReload(() => calls.push('reload'));
  expect(calls).toEqual(['reload']);
  sighup.onSignal();
  expect(calls).toEqual(['reload', 'reload']);
});
