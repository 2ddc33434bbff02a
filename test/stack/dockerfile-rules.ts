// What our Dockerfile has to keep to, as faults in words. What the builder itself would refuse is left to a linter.
import { DockerfileParser, type Dockerfile, type Instruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';

/** Every tag names a version and a distribution. */
const PINNED = /^[a-z/]+:\d+\.\d+\.\d+-[a-z]+-slim$/;
const EXEC_FORM = /^\[".*"\]$/s;
const COMMANDS: ReadonlySet<string> = new Set(['CMD', 'ENTRYPOINT', 'HEALTHCHECK']);

/** @param has whether the build's folder has a file or folder of this path */
export function violationsIn(text: string, has: (path: string) => boolean): readonly string[] {
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
  if (fetches) yield 'RUN fetches what nobody has checked';
  if (/(?:PASSWORD|TOKEN|SECRET|_KEY)\w*=/.test(text)) yield 'a secret in a layer';
}

/** The build's folder has what is copied, and an earlier stage makes the rest. */
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
  if (!/^[1-9]\d*:[1-9]\d*$/.test(textOf('USER'))) yield 'runs as root, or as nobody knows whom';
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
  if (installsRecommended) yield 'installs what is only recommended';
}

function lastStageOf(file: Dockerfile): readonly Instruction[] {
  const instructions = file.getInstructions();
  return instructions.slice(instructions.findLastIndex((each) => each.getKeyword() === 'FROM'));
}
