// Owns the Spring Boot application that gets its properties from a config server: fetching what it needs,
// and what it is asked and answers.
import { join } from 'node:path';
import { ClientProgram, type Thrown } from './client-program.js';
import { siblingFile, installClient, type ClientPackage } from './installation.js';

export const SPRING_CONFIG: ClientPackage = {
  name: 'spring-config',
  // javac, because Java compiles the program that it is given as a source.
  tools: [
    ['javac', '-version'],
    ['java', '-version'],
    ['mvn', '--version'],
  ],
  manifest: 'spring-config-pom.xml',
  install: (manifest, folder) => {
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
    return ['mvn', '--batch-mode', '--quiet', '--file', manifest, ...goal];
  },
};

/** What the application reads under the keys that the server told of; the sources, the strongest first. */
export interface Received {
  /** Of what was read, where the server tells of one. */
  readonly version: string;
  readonly sources: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
}

/** Told the arguments of an application; each is started, and ends. */
export type SpringConfigProgram = ClientProgram<readonly string[], Received | Thrown>;

export async function startSpringConfigProgram(): Promise<SpringConfigProgram> {
  const folder = await installClient(SPRING_CONFIG);
  // The client sends passwords in the encoding of its machine.
  const args = [
    '-Dfile.encoding=UTF-8',
    '-cp',
    join(folder, '*'),
    siblingFile('SpringConfigClient.java'),
  ];
  return new ClientProgram('java', args, {});
}
