// Installs and runs the Spring Boot application that reads its properties from a config server.
import { join } from 'node:path';
import { ClientProgram, type Thrown } from './client-program.js';
import {
  type ClientPackage,
  installByMaven,
  installClient,
  JAVA_TOOLS,
  siblingFile,
} from './installation.js';

export const SPRING_CONFIG: ClientPackage = {
  name: 'spring-config',
  tools: JAVA_TOOLS,
  manifest: 'spring-config-pom.xml',
  install: installByMaven,
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
