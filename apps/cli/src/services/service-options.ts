// The options of `tessera service add` and `update`, and their conversion to fields of a service.
import { type Command, Option } from 'commander';
import { SERVICE_DEFAULTS, type ServiceDefinition } from '@tessera/services';
import { CliError } from '../cli-error.js';
import { escapeForTerminal } from '../terminal.js';
import { collect, givenFields, numberOf, valueIn } from './option-values.js';

const valueOf = valueIn(SERVICE_DEFAULTS);

/** `--no-…` sets `false`, which resets the field to its default. */
export interface ServiceOptions {
  readonly name?: string;
  readonly pattern?: string;
  readonly description?: string | false;
  readonly order?: string | false;
  readonly expires?: string | false;
  readonly sso?: boolean;
  /** Each `name=pattern`. */
  readonly require?: readonly string[] | false;
  readonly requireAll?: boolean;
  /** Each `name=pattern`. */
  readonly reject?: readonly string[] | false;
  readonly refusedUrl?: string | false;
  readonly releaseAll?: boolean;
  readonly releaseAllBut?: readonly string[];
  /** Each `name` or `name=as`. */
  readonly release?: readonly string[] | false;
  /** Each `name=pattern`. */
  readonly releaseValues?: readonly string[] | false;
  readonly defaultAttributes?: boolean;
  readonly protocolAttributes?: boolean;
  readonly usernameAttribute?: string | false;
  readonly usernameCase?: string;
  readonly anonymous?: boolean;
  readonly proxy?: string | false;
  readonly response?: string | false;
  readonly stLifetime?: string | false;
  readonly ptLifetime?: string | false;
  readonly logout?: string | false;
  readonly logoutUrl?: string | false;
  /** Each `name=value`. */
  readonly property?: readonly string[] | false;
}

/** Adds the options for all fields except the pattern and the name. */
export function withFieldOptions(command: Command): Command {
  return withSharedOptions(command)
    .option('--proxy <pattern>', 'callback URLs it may get proxy tickets with')
    .option('--response <type>', 'how the browser brings the ticket: redirect or post')
    .option('--st-lifetime <seconds>', 'the most seconds that its service tickets live')
    .option('--pt-lifetime <seconds>', 'the most seconds that proxy tickets for it live');
}

/** Adds the options for the fields that apply to OpenID Connect too. */
export function withSharedOptions(command: Command): Command {
  withAccessOptions(command);
  withReleaseOptions(command);
  return command
    .addOption(new Option('--logout <type>', 'how it is notified of logouts: none, back or front'))
    .option(
      '--logout-url <url>',
      'the URL for notifications of logouts, or several, separated by commas',
    )
    .option('--property <name=value>', 'a property, such as dialect=apereo', collect);
}

function withAccessOptions(command: Command): void {
  command
    .option('--description <text>', 'what it is')
    .option('--order <number>', 'its place: services of lower numbers are tried first')
    .option('--expires <date>', 'the day or time from which it is disabled, or never')
    .option('--sso', 'give tickets from any session')
    .option('--no-sso', 'ask for a fresh login each time')
    .option(
      '--require <name=pattern>',
      'a value users must have, as a pattern of the whole value; repeat it for more',
      collect,
    )
    .option('--require-all', 'users need a value of every required attribute')
    .option('--no-require-all', 'a value of one required attribute is enough')
    .option('--reject <name=pattern>', 'a value users must not have; repeat it for more', collect)
    .option('--refused-url <url>', 'where browsers of refused users are sent');
}

function withReleaseOptions(command: Command): void {
  command
    .addOption(new Option('--release-all', 'release all attributes').conflicts('release'))
    .addOption(
      new Option('--release-all-but <name>', 'release all attributes but this one; repeat it')
        .argParser(collect)
        .conflicts(['release', 'releaseAll']),
    )
    .option('--release <name[=as]>', 'release an attribute, under a name of its own', collect)
    .option(
      '--release-values <name=pattern>',
      'of a released attribute, only values that match; * for every attribute',
      collect,
    )
    .option('--default-attributes', 'release the attributes of sso.services.default-attributes')
    .option('--no-default-attributes', 'do not release these attributes')
    .option('--protocol-attributes', 'release authenticationDate and the like')
    .option('--no-protocol-attributes', 'do not release authenticationDate and the like')
    .addOption(new Option('--username-attribute <name>', 'the attribute to use as the user name'))
    .addOption(new Option('--username-case <case>', 'letters of the user name: lower or upper'))
    .addOption(
      new Option('--anonymous', 'give a pseudonym for the user name').conflicts([
        'usernameAttribute',
        'usernameCase',
      ]),
    );
}

/** Adds `--no-…` for each field that has a default. */
export function withDefaultOptions(command: Command): Command {
  return withSharedDefaultOptions(command)
    .option('--no-proxy', 'no proxy tickets')
    .option('--no-response', 'the browser is redirected with the ticket')
    .option('--no-st-lifetime', 'service tickets as the settings say')
    .option('--no-pt-lifetime', 'proxy tickets as the settings say');
}

/** As {@link withDefaultOptions}, for the fields of {@link withSharedOptions}. */
export function withSharedDefaultOptions(command: Command): Command {
  return command
    .option('--no-description', 'no description')
    .option('--no-order', 'the last place')
    .option('--no-expires', 'it never expires')
    .option('--no-require', 'require no attributes')
    .option('--no-reject', 'reject no attributes')
    .option('--no-refused-url', 'a page for refused users')
    .option('--no-release', 'release no attributes')
    .option('--no-release-values', 'release all values')
    .option('--no-username-attribute', 'the name that users log in with')
    .option('--no-logout', 'no notifications of logouts')
    .option('--no-logout-url', 'no URL for logouts')
    .option('--no-property', 'no properties');
}

/**
 * Only the fields that the options name. The store validates the values and reports all violations at once.
 */
export function fieldsOf(options: ServiceOptions): Partial<ServiceDefinition> {
  const { name, pattern, sso } = options;
  const fields = {
    serviceId: pattern,
    name,
    description: valueOf('description', options.description),
    evaluationOrder: valueOf('evaluationOrder', options.order, numberOf),
    expiresAt: valueOf('expiresAt', options.expires),
    ssoEnabled: sso,
    requiredAttributes: valueOf('requiredAttributes', options.require, (texts) =>
      grouped(pairs('--require', texts)),
    ),
    requireAllAttributes: options.requireAll,
    rejectedAttributes: valueOf('rejectedAttributes', options.reject, (texts) =>
      grouped(pairs('--reject', texts)),
    ),
    unauthorizedRedirectUrl: valueOf('unauthorizedRedirectUrl', options.refusedUrl),
    attributeRelease: releaseOf(options),
    defaultAttributes: options.defaultAttributes,
    releasedValues: valueOf('releasedValues', options.releaseValues, (texts) =>
      grouped(pairs('--release-values', texts)),
    ),
    protocolAttributes: options.protocolAttributes,
    usernameAttribute: usernameOf(options),
    proxyPolicy: valueOf('proxyPolicy', options.proxy, (text) => ({
      kind: 'pattern',
      pattern: text,
    })),
    responseType: valueOf('responseType', options.response),
    serviceTicketLifetime: valueOf('serviceTicketLifetime', options.stLifetime, numberOf),
    proxyTicketLifetime: valueOf('proxyTicketLifetime', options.ptLifetime, numberOf),
    logoutType: valueOf('logoutType', options.logout),
    logoutUrl: valueOf('logoutUrl', options.logoutUrl),
    properties: valueOf('properties', options.property, (texts) =>
      Object.fromEntries(pairs('--property', texts)),
    ),
  } satisfies Record<Exclude<keyof ServiceDefinition, 'enabled' | 'clientId' | 'client'>, unknown>;
  return givenFields<ServiceDefinition>(fields);
}

function releaseOf({ releaseAll, releaseAllBut, release }: ServiceOptions): unknown {
  if (releaseAll) return { kind: 'all' };
  if (releaseAllBut !== undefined) return { kind: 'all', excluded: releaseAllBut };
  return valueOf('attributeRelease', release, namedRelease);
}

function namedRelease(release: readonly string[]): object {
  if (!release.some((each) => each.includes('='))) return { kind: 'allowed', names: release };
  const mapped = release.map((each) => (each.includes('=') ? each : `${each}=${each}`));
  return { kind: 'mapped', names: grouped(pairs('--release', mapped)) };
}

function usernameOf({ anonymous, usernameAttribute, usernameCase }: ServiceOptions): unknown {
  if (anonymous) return { kind: 'anonymous' };
  const letters = usernameCase === undefined ? {} : { letterCase: usernameCase };
  if (typeof usernameAttribute === 'string') {
    return { kind: 'attribute', name: usernameAttribute, ...letters };
  }
  if (usernameCase !== undefined) return { kind: 'principal', ...letters };
  return valueOf('usernameAttribute', usernameAttribute);
}

function pairs(option: string, texts: readonly string[]): readonly [string, string][] {
  return texts.map((text) => {
    const separator = text.indexOf('=');
    if (separator > 0) return [text.slice(0, separator), text.slice(separator + 1)];
    throw new CliError(`${option} is written name=value, not ${escapeForTerminal(text)}`);
  });
}

function grouped(entries: readonly [string, string][]): Record<string, readonly string[]> {
  const groups = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries(
    [...groups].map(([name, members]) => [name, members.map(([, value]) => value)]),
  );
}
