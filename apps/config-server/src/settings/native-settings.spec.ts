import { describe, expect, test } from '@jest/globals';
import { NativeSettings } from './native-settings.js';

describe('the settings of the directory backend', () => {
  test.each([
    [[], 'must name a directory; . is the location itself'],
    [['eu', '../other'], '"../other" may hold no name that begins with a dot'],
    [['/etc'], '"/etc" must be relative'],
  ])('may not search %j', (searchPaths, message) => {
    const settings = Object.assign(new NativeSettings(), { searchPaths });
    expect([...settings.check()]).toMatchObject([
      { key: 'config-server.native.search-paths', message },
    ]);
  });

  test.each([
    ['', 'must name a directory'],
    ['file:', 'must name a directory'],
    ['file:/a%00b', 'must name a directory'],
    ['file:/100%', 'must name a directory'],
    ['classpath:/config', 'must be a directory: put the files of the class path into one'],
    ['CLASSPATH:config', 'must be a directory: put the files of the class path into one'],
    [
      'https://git.example.org/config',
      'must be a path or a file: URL; the backend git serves repositories',
    ],
    ['ssh:git@example.org', 'must be a path or a file: URL; the backend git serves repositories'],
    ['file://nas/config', 'must be a directory of this machine: file:/absolute or file:./relative'],
    ['file://./config', 'must be a directory of this machine: file:/absolute or file:./relative'],
    ['/srv/{application}', 'may hold no placeholders; config-server.native.search-paths may'],
  ])('may not lie at %j', (location, message) => {
    const settings = Object.assign(new NativeSettings(), { location });
    expect([...settings.check()]).toEqual([{ key: 'config-server.native.location', message }]);
  });

  test.each([
    ['/srv/a%20b', '/srv/a%20b'],
    ['../config', '../config'],
    [String.raw`C:\config`, String.raw`C:\config`],
    ['file:/srv/a%20b/', '/srv/a b/'],
    ['file:///srv/config', '/srv/config'],
    ['FILE://localhost/srv/config', '/srv/config'],
    ['file:./config', './config'],
    ['file:config', 'config'],
  ])('may lie at %j', (location, directory) => {
    const settings = Object.assign(new NativeSettings(), { location });
    expect([...settings.check()]).toEqual([]);
    expect(settings.options().location).toBe(directory);
  });

  test('search ./config-repo itself by default', () => {
    const settings = new NativeSettings();
    expect([...settings.check()]).toEqual([]);
    expect(settings.options()).toEqual({ location: './config-repo', searchPaths: ['.'] });
  });

  test.each([
    [false, ['.', 'teams']],
    [true, ['.', 'teams', './{label}', 'teams/{label}']],
  ])('search directories named as the label: %s', (addsLabelLocations, searchPaths) => {
    const given = { addsLabelLocations, searchPaths: ['.', 'teams'] };
    const settings = Object.assign(new NativeSettings(), given);
    expect(settings.options().searchPaths).toEqual(searchPaths);
  });
});
