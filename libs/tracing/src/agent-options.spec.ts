import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../test/support/folders.js';
import { agentOptions } from './agent-options.js';

let folder: string;

beforeAll(async () => {
  folder = await makeFolder();
  await writeFile(join(folder, 'ca.pem'), 'ca');
  await writeFile(join(folder, 'traces.pem'), 'traces');
});
afterEach(() => {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('OTEL_EXPORTER_OTLP_')) Reflect.deleteProperty(process.env, name);
  }
});
afterAll(() => removeFolder(folder));

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['is that of all signals', { CERTIFICATE: 'ca.pem' }, 'ca'],
  ['is that of traces', { CERTIFICATE: 'ca.pem', TRACES_CERTIFICATE: 'traces.pem' }, 'traces'],
  ['is none where its file is gone', { CERTIFICATE: 'gone.pem' }, undefined],
  ['is none by default', {}, undefined],
])('the CA of the receiver %s', (_, variables, ca) => {
  for (const [name, file] of Object.entries(variables)) {
    process.env[`OTEL_EXPORTER_OTLP_${name}`] = join(folder, file);
  }
  expect(agentOptions().ca?.toString()).toBe(ca);
});
