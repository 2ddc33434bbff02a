// `tessera service add` and `remove`: one service at a time.
import { type NewService, ServiceError, ServiceStore } from '@tessera/services';
import { CliError } from '../cli-error.js';
import { type OpenDatabase, withDatabase } from '../database.js';
import { printable } from '../printable-text.js';

/** What the commands on services work with. */
export interface ServiceCommandContext {
  readonly openDatabase: OpenDatabase;
  /** Writes a line to standard output. */
  readonly write: (line: string) => void;
}

export interface AddServiceOptions {
  readonly name: string;
  readonly description?: string;
  readonly order?: string;
  readonly disabled?: boolean;
  readonly sso?: boolean;
  /** Each `name=value`. */
  readonly require?: readonly string[];
  readonly releaseAll?: boolean;
  /** Each `name` or `name=as`. */
  readonly release?: readonly string[];
  readonly usernameAttribute?: string;
  readonly anonymous?: boolean;
  readonly proxy?: string;
  readonly logout?: string;
  readonly logoutUrl?: string;
  /** Each `name=value`. */
  readonly property?: readonly string[];
}

export async function addService(
  serviceId: string,
  options: AddServiceOptions,
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  const service = serviceOf(serviceId, options);
  const { id } = await withStore(openDatabase, (store) => store.add(service));
  write(id);
}

export async function removeService(
  id: string,
  { openDatabase, write }: ServiceCommandContext,
): Promise<void> {
  await withStore(openDatabase, (store) => store.remove(id));
  write(`removed ${id}`);
}

/** Runs `work` on the services of the database; their errors become lines for the terminal. */
export async function withStore<T>(
  openDatabase: OpenDatabase,
  work: (store: ServiceStore) => Promise<T>,
): Promise<T> {
  try {
    return await withDatabase(openDatabase, ({ dataSource }) => work(new ServiceStore(dataSource)));
  } catch (error) {
    if (error instanceof ServiceError) throw new CliError(printable(error.message));
    throw error;
  }
}

/** What is not a valid value is left for the store to refuse, which names every fault at once. */
function serviceOf(serviceId: string, options: AddServiceOptions): NewService {
  const { name, description, order, disabled = false, sso = true, logoutUrl } = options;
  const fields = {
    serviceId,
    name,
    description,
    evaluationOrder: order === undefined ? undefined : numberOf(order),
    enabled: !disabled,
    ssoEnabled: sso,
    requiredAttributes: grouped(pairs('--require', options.require)),
    attributeRelease: releaseOf(options),
    usernameAttribute: usernameOf(options),
    proxyPolicy:
      options.proxy === undefined ? undefined : { kind: 'pattern', pattern: options.proxy },
    logoutType: options.logout,
    logoutUrl,
    properties: Object.fromEntries(pairs('--property', options.property)),
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  // The texts of a command line may be no NewService at all: the store looks at each field.
  return Object.fromEntries(given) as unknown as NewService;
}

function numberOf(text: string): number {
  return /^-?\d+$/.test(text) ? Number(text) : NaN;
}

function releaseOf({ releaseAll, release = [] }: AddServiceOptions): object | undefined {
  if (releaseAll) return { kind: 'all' };
  if (release.length === 0) return undefined;
  if (!release.some((each) => each.includes('='))) return { kind: 'allowed', names: release };
  const mapped = release.map((each) => (each.includes('=') ? each : `${each}=${each}`));
  return { kind: 'mapped', names: grouped(pairs('--release', mapped)) };
}

function usernameOf({ usernameAttribute, anonymous }: AddServiceOptions): object | undefined {
  if (anonymous) return { kind: 'anonymous' };
  return usernameAttribute === undefined
    ? undefined
    : { kind: 'attribute', name: usernameAttribute };
}

function pairs(option: string, texts: readonly string[] = []): readonly [string, string][] {
  return texts.map((text) => {
    const separator = text.indexOf('=');
    if (separator > 0) return [text.slice(0, separator), text.slice(separator + 1)];
    throw new CliError(`${option} is written name=value, not ${printable(text)}`);
  });
}

function grouped(entries: readonly [string, string][]): Record<string, readonly string[]> {
  const groups = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries(
    [...groups].map(([name, members]) => [name, members.map(([, value]) => value)]),
  );
}
