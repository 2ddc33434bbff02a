// The Dockerfile keeps our rules, and those of a linter.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { DockerfileParser, type Dockerfile, type Instruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';

/** Every tag names a version and a distribution. */
const PINNED = /^[a-z/]+:\d+\.\d+\.\d+-[a-z]+-slim$/;
const EXEC_FORM = /^\[".*"\]$/s;
const COMMANDS: ReadonlySet<string> = new Set(['CMD', 'ENTRYPOINT', 'HEALTHCHECK']);

/** @param has whether the build context has this path */
function violationsIn(text: string, has: (path: string) => boolean): readonly string[] {
  const file = DockerfileParser.parse(text);
  return [
    ...validate(text).map(({ message }) => (typeof message === 'string' ? message : message.value)),
    ...violationsOfStages(file),
    ...file.getInstructions().flatMap((each) => [...violationsOfInstruction(each)]),
    ...violationsOfCopies(file, has),
    ...violationsOfLastStage(lastStageOf(file)),
  ];
}

function* violationsOfStages(file: Dockerfile): Iterable<string> {
  for (const from of file.getFROMs()) {
    const image = from.getImage() ?? '';
    if (!PINNED.test(image)) yield `${image} is not pinned`;
  }
}

function* violationsOfInstruction(instruction: Instruction): Iterable<string> {
  const keyword = instruction.getKeyword();
  const text = instruction.getArgumentsContent() ?? '';
  if (keyword === 'ADD') yield 'ADD fetches and unpacks: use COPY';
  const command = keyword === 'HEALTHCHECK' ? text.replace(/^.*?CMD /s, '') : text;
  if (COMMANDS.has(keyword) && !EXEC_FORM.test(command)) yield `${keyword} is run by a shell`;
  const fetches = keyword === 'RUN' && /\b(?:curl|wget)\b/.test(text);
  if (fetches) yield 'RUN fetches an unchecked file';
  if (/(?:PASSWORD|TOKEN|SECRET|_KEY)\w*=/.test(text)) yield 'a secret in a layer';
}

/** The build context has every source of COPY that is not from an earlier stage. */
function* violationsOfCopies(file: Dockerfile, has: (path: string) => boolean): Iterable<string> {
  for (const copy of file.getCOPYs()) {
    const sources = copy
      .getArguments()
      .slice(0, -1)
      .map((argument) => argument.getValue());
    if (copy.getFromFlag() !== null) continue;
    for (const source of sources) {
      if (source === '.') yield 'COPY of everything';
      else if (!has(source)) yield `COPY of ${source}, which is not there`;
    }
  }
}

function* violationsOfLastStage(stage: readonly Instruction[]): Iterable<string> {
  const textOf = (keyword: string): string =>
    stage.findLast((each) => each.getKeyword() === keyword)?.getArgumentsContent() ?? '';
  const run = stage
    .filter((each) => each.getKeyword() === 'RUN')
    .map(String)
    .join('\n');
  if (!/^[1-9]\d*:[1-9]\d*$/.test(textOf('USER'))) yield 'runs as root or without a numeric user';
  if (!textOf('ENTRYPOINT').startsWith('["node"')) yield 'Node is not the first process';
  if (textOf('HEALTHCHECK') === '') yield 'no HEALTHCHECK';
  for (const keyword of ['ENTRYPOINT', 'HEALTHCHECK']) {
    const opens = !textOf(keyword).includes('"node", "--disable-sigusr1"');
    if (opens) yield `${keyword} lets SIGUSR1 open the debugger`;
  }
  for (const program of ['npm', 'npx', 'corepack', 'yarn']) {
    if (!new RegExp(`\\s/usr/local/bin/${program}(?:\\s|$)`).test(run)) yield `keeps ${program}`;
  }
  if (/\bnpm (?:ci|install)\b|build-essential|\bgcc\b/.test(run)) yield 'builds in the last stage';
  const installsRecommended =
    run.includes('apt-get install') && !run.includes('--no-install-recommends');
  if (installsRecommended) yield 'installs recommended packages';
}

function lastStageOf(file: Dockerfile): readonly Instruction[] {
  const instructions = file.getInstructions();
  return instructions.slice(instructions.findLastIndex((each) => each.getKeyword() === 'FROM'));
}

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
      'RUN fetches an unchecked file',
    ],
    ['a secret', /NODE_ENV=production/, 'DATABASE_PASSWORD=x', 'a secret in a layer'],
    ['root', /^USER .*$/m, 'USER root', 'runs as root or without a numeric user'],
    ['no user', /^USER .*$/m, '', 'runs as root or without a numeric user'],
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
    ['recommended packages', / --no-install-recommends/, '', 'installs recommended packages'],
  ])('is at fault with %s', (_what, part, replacement, violation) => {
    const text = DOCKERFILE.replace(part, replacement);
    expect(text).not.toBe(DOCKERFILE);
    expect(violationsIn(text, existsSync)).toContain(violation);
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
