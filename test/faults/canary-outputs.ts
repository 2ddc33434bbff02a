// Records every output of the programs in which a secret could leak.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Reply, http, type Call } from '../support/http.js';
import type { TestAuthority } from '../support/pki/test-authority.js';
import { treeOf } from '../support/process-table.js';
import type { Program } from '../support/process.js';
import { secrets } from './canaries.js';

export const OUTPUTS = [
  'log',
  'standard error',
  'answers',
  'explain',
  'command lines',
  'files',
  'traces',
] as const;
type Output = (typeof OUTPUTS)[number];

/** The name of a profile, not a secret. Its presence in an output proves that the output is recorded. */
export const TRACER = 'tracer-of-all-places';

export const recorded: Readonly<Record<Output, string[]>> = {
  log: [],
  'standard error': [],
  answers: [],
  explain: [],
  'command lines': [],
  files: [],
  traces: [],
};

export function recordOutput({ stdout, stderr }: Program): void {
  recorded.log.push(stdout);
  recorded['standard error'].push(stderr);
}

export function recordCommandLines({ pid }: Program): void {
  recorded['command lines'].push(commandLines(pid));
}

/** @param expected secret that the answer is meant to contain; it is masked */
function recordAnswer({ status, headers, body }: Reply, expected?: RegExp): void {
  const text = `${status} ${JSON.stringify(headers)} ${body}`;
  recorded.answers.push(expected === undefined ? text : text.replaceAll(expected, '(expected)'));
}

/** Command lines of a process and its descendants, which every user of the machine can read. */
export function commandLines(pid: number): string {
  return treeOf(pid).map(commandLine).join('\n');
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Names and contents of the files in a folder and below. @param except name of folders to leave out */
export function filesIn(folder: string, except: string): string {
  const found = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === except ? [] : [path, filesIn(path, except)];
    return entry.isFile() ? [path, readFileSync(path, 'latin1')] : [path];
  });
  return found.join('\n');
}

export class SsoCaller {
  constructor(
    private readonly url: string,
    private readonly authority: TestAuthority,
  ) {}

  /** @param expected secret that the answer is meant to contain; it is masked */
  async call(method: string, path: string, request: Call = {}, expected?: RegExp): Promise<Reply> {
    const tls = { ca: this.authority.cert };
    const answer = await http(method, this.url, path, { ...request, tls });
    recordAnswer(answer, expected);
    return answer;
  }

  login(username: string, password: string): Promise<Reply> {
    const request = { form: { username, password }, headers: { accept: 'text/plain' } };
    return this.call('POST', '/v1/tickets', request, /TGT-[\w-]+/g);
  }

  reload(authorization = `Bearer ${secrets.management}`): Promise<Reply> {
    return this.call('POST', '/actuator/refresh', { headers: { authorization } });
  }
}

export async function callConfigServer(
  url: string,
  path: string,
  body: string,
  password = secrets.basic,
): Promise<Reply> {
  const headers = { authorization: basic(password), 'content-type': 'text/plain' };
  const answer = await http('POST', url, path, { body, headers });
  recordAnswer(answer);
  return answer;
}

export function basic(password: string): string {
  return `Basic ${Buffer.from(`sso:${password}`).toString('base64')}`;
}
