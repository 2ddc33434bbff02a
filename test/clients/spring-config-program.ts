// Installs and runs the Spring Boot application that reads its properties from a config server.
import { join } from 'node:path';
import { ClientProgram, type Thrown } from './client-program.js';
import { siblingFile, installClient, type ClientPackage } from './installation.js';

export const SPRING_CONFIG: ClientPackage = {
  name: 'spring-config',
  // Java compiles the source file that it runs, which needs javac.
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

/** Values of all keys that the server sent; sources are ordered by precedence, highest first. */
export interface Received {
  /** Version in the answer of the server; empty if it has none. */
  readonly version: string;
  readonly sources: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
}

/** Each request holds the arguments of an application, which starts and exits. */
export type SpringConfigProgram = ClientProgram<readonly string[], Received | Thrown>;

export async function startSpringConfigProgram(): Promise<SpringConfigProgram> {
  const folder = await installClient(SPRING_CONFIG);
  // The client encodes passwords in the default charset.
  const args = [
    '-Dfile.encoding=UTF-8',
    '-cp',
    join(folder, '*'),
    siblingFile('SpringConfigClient.java'),
  ];
  return new ClientProgram('java', args, {});
}
