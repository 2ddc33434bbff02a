// Writes the repository for measuring the config server: a thousand applications, `orders` among them.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const APPLICATION_COUNT = 1_000;

const COMMON_PROPERTIES = `company:
  name: Example Ltd
  support: support@example.org
management:
  endpoints.web.exposure.include: [health, info, metrics]
  endpoint.health.show-details: never
logging.level.root: info
`;

export const APPLICATION_NAMES: readonly string[] = [
  'orders',
  ...Array.from({ length: APPLICATION_COUNT - 1 }, (_, index) => `app${index}`),
];

/** Writes `config-repo` into a directory: three files for each application and two common ones. */
export async function writeRepository(directory: string): Promise<string> {
  const repository = join(directory, 'config-repo');
  await mkdir(repository);
  await writeFile(join(repository, 'application.yml'), COMMON_PROPERTIES);
  await writeFile(join(repository, 'application-prod.yml'), 'logging.level.root: warn\n');
  for (const name of APPLICATION_NAMES) {
    await writeFile(join(repository, `${name}.yml`), yamlOf(name));
    await writeFile(join(repository, `${name}-prod.yml`), `server.port: 80\n${name}.limit: 100\n`);
    await writeFile(join(repository, `${name}-prod.properties`), propertiesOf(name, 0));
  }
  return repository;
}

/** The file of an application with the highest precedence in profile prod. */
export function propertiesOf(name: string, revision: number): string {
  return `${name}.revision=${revision}\n${name}.greeting=Welcome to \${company.name}\n`;
}

function yamlOf(name: string): string {
  const servers = Array.from({ length: 8 }, (_, index) => `    - ${name}-${index}.example.org`);
  return `server.port: 8080
${name}:
  page-size: 20
  mail: \${company.support}
  servers:
${servers.join('\n')}
`;
}
