import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { violationsIn } from './dockerfile-rules.js';

const DOCKERFILE = readFileSync('Dockerfile', 'utf8');
const COPIED = DOCKERFILE.matchAll(/^COPY (?!--from)(?<sources>.*) \S+$/gm);

describe('the Dockerfile', () => {
  test.each([
    ['a word that is no instruction', /^WORKDIR/m, 'WORKDIRS', 'Unknown instruction: WORKDIRS'],
    [
      'a base without a version',
      /24\.21\.0-bookworm-slim AS build/,
      'latest AS build',
      'node:latest is not pinned',
    ],
    ['ADD', /^COPY apps/m, 'ADD apps', 'ADD fetches and unpacks: use COPY'],
    ['COPY of everything', /^COPY apps \S+/m, 'COPY . .', 'COPY of everything'],
    [
      'COPY of what is not there',
      /^COPY apps/m,
      'COPY applications',
      'COPY of applications, which is not there',
    ],
    ['an entry by a shell', /^CMD .*$/m, 'CMD dist/apps/sso/src/main.js', 'CMD is run by a shell'],
    [
      'a check by a shell',
      /CMD \["node", .*"--eval.*$/m,
      'CMD node',
      'HEALTHCHECK is run by a shell',
    ],
    [
      'a file from somewhere',
      /^RUN npm ci/m,
      'RUN curl -O https://example.org/x; npm ci',
      'RUN fetches what nobody has checked',
    ],
    ['a secret', /NODE_ENV=production/, 'DATABASE_PASSWORD=x', 'a secret in a layer'],
    ['root', /^USER .*$/m, 'USER root', 'runs as root, or as nobody knows whom'],
    ['no user', /^USER .*$/m, '', 'runs as root, or as nobody knows whom'],
    ['no check of its health', /^HEALTHCHECK .*\n.*$/m, '', 'no HEALTHCHECK'],
    [
      'a shell as the first process',
      /^ENTRYPOINT .*$/m,
      'ENTRYPOINT ["sh", "-c"]',
      'Node is not the first process',
    ],
    [
      'an entry that a signal opens',
      /(?<=^ENTRYPOINT .*) "--disable-sigusr1",/m,
      '',
      'ENTRYPOINT lets SIGUSR1 open the debugger',
    ],
    [
      'a check that a signal opens',
      /(?<=^ +CMD .*) "--disable-sigusr1",/m,
      '',
      'HEALTHCHECK lets SIGUSR1 open the debugger',
    ],
    ['npm in what runs', / \/usr\/local\/bin\/npm/, '', 'keeps npm'],
    ['compilers in what runs', /openssh-client/, 'openssh-client gcc', 'builds in the last stage'],
    ['recommended packages', / --no-install-recommends/, '', 'installs what is only recommended'],
  ])('is at fault with %s', (_what, part, replacement, fault) => {
    const text = DOCKERFILE.replace(part, replacement);
    expect(text).not.toBe(DOCKERFILE);
    expect(violationsIn(text, existsSync)).toContain(fault);
  });

  test('has no fault', () => {
    expect(violationsIn(DOCKERFILE, existsSync)).toEqual([]);
  });

  test('copies what .dockerignore lets through, and nothing else is let through', () => {
    const copied = [...COPIED].flatMap(({ groups }) => groups?.['sources']?.split(' ') ?? []);
    const lines = readFileSync('.dockerignore', 'utf8').split('\n');
    const passing = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(lines).toContain('*');
    expect(passing.toSorted()).toEqual(copied.toSorted());
  });

  test('has the Node that package.json pins', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const versions = [...DOCKERFILE.matchAll(/^FROM node:([\d.]+)-/gm)].map(
      ([, version]) => version,
    );
    expect(new Set(versions)).toEqual(new Set([dependencies['node']]));
  });
});
