// The keys of an application: which are declared, which belong to it, which one an unknown key was probably meant to be.
import { closestKey, normaliseKey } from './closest-key.js';
import { migrationHintOf, type MigrationHint } from './migration/migration-hints.js';
import { environmentNames } from './environment-name.js';
import {
  declaredNamedGroups,
  declaredSettings,
  type DeclaredNamedGroups,
  type DeclaredSetting,
} from './setting.js';

/** First segments of the keys of all Tessera applications, which may share files and command lines. */
const PRODUCT_PREFIXES: ReadonlySet<string> = new Set([
  'application',
  'audit',
  'config-server',
  'database',
  'encrypt',
  'logging',
  'profiles',
  'settings',
  'sso',
  'vault',
]);

/** Also a section of Spring Boot, whose keys (`server.port`, `SERVER_NAME`) are no mistakes. */
const SPRING_SERVER = 'server';

/** Sections whose keys have Spring's names, and so each of their spellings: `encrypt.keyStore.location`. */
const SPRING_SECTIONS: ReadonlySet<string> = new Set(['encrypt']);

/** Groups by name, with the settings that each of them has, by their keys without the name. */
interface NamedGroupKeys extends DeclaredNamedGroups {
  readonly settings: ReadonlyMap<string, DeclaredSetting>;
}

export class SettingKeys {
  /** Without those of groups by name: {@link settingsIn} has them. */
  readonly settings: readonly DeclaredSetting[];
  readonly namedGroups: readonly NamedGroupKeys[];
  readonly #byKey: ReadonlyMap<string, DeclaredSetting>;
  readonly #bySpringName: ReadonlyMap<string, DeclaredSetting>;
  readonly #ownPrefixes: ReadonlySet<string>;

  /**
   * @param sharedPrefixes first segments below which unknown keys belong to another application
   * @throws TypeError if declarations contradict each other
   */
  constructor(settingsClass: new () => object, sharedPrefixes: readonly string[] = []) {
    this.settings = declaredSettings(settingsClass);
    this.namedGroups = declaredNamedGroups(settingsClass).map((groups) => ({
      ...groups,
      settings: byKey(declaredSettings(groups.groupClass)),
    }));
    this.#byKey = byKey(this.settings);
    this.#bySpringName = new Map(
      this.settings
        .filter(({ key }) => SPRING_SECTIONS.has(firstSegment(key)))
        .map((setting) => [springName(setting.key), setting]),
    );
    const prefixes = this.settings.map(({ key }) => firstSegment(key));
    const foreign = [...sharedPrefixes, SPRING_SERVER];
    this.#ownPrefixes = new Set(prefixes.filter((prefix) => !foreign.includes(prefix)));
    this.#assertConsistent();
  }

  /** All settings, and those of groups by name that have one of the keys. */
  settingsIn(keys: Iterable<string>): readonly DeclaredSetting[] {
    return [...this.settings, ...[...keys].flatMap((key) => this.#inNamedGroup(key) ?? [])];
  }

  /** The setting of a key; for a member of a family (`logging.level.x`) the family. */
  find(key: string): DeclaredSetting | undefined {
    const exact = this.#byKey.get(key) ?? this.#bySpringName.get(springName(key));
    if (exact && !exact.parser.member) return exact;
    const family = this.families().find((each) => key.startsWith(`${each.key}.`));
    return family ?? this.#inNamedGroup(key);
  }

  families(): DeclaredSetting[] {
    return this.settings.filter((setting) => setting.parser.member);
  }

  /** True if an unknown key is an error: it has a prefix of this application, and is no other server's. */
  isMistyped(key: string): boolean {
    return this.owns(key) && this.migrationHint(key) === undefined;
  }

  /** True if the key has one of this application's prefixes. */
  owns(key: string): boolean {
    return this.#ownPrefixes.has(firstSegment(normaliseKey(key)));
  }

  /** True if an application of the product may declare the key. */
  isOfProduct(key: string): boolean {
    const isDeclared = this.find(key) !== undefined;
    return isDeclared || this.owns(key) || PRODUCT_PREFIXES.has(firstSegment(normaliseKey(key)));
  }

  /** True if the key only groups other keys and takes no value itself. */
  isGroup(key: string): boolean {
    return this.#hasKeysBelow(key) || this.families().some((family) => family.key === key);
  }

  /** The hint for a key of another server; undefined for all other keys. */
  migrationHint(key: string): MigrationHint | undefined {
    if (this.find(key) !== undefined) return undefined;
    return migrationHintOf(key, (here) => this.find(here) !== undefined || this.isGroup(here));
  }

  /** The declared key, or group (`sso.tls.*`), that an unknown key was probably meant to be. */
  suggest(key: string): string | undefined {
    const hint = this.migrationHint(key);
    if (hint !== undefined) return hint.instead;
    const members = this.families().map((family) => asMemberOf(key, family.key));
    const named = this.namedGroups.flatMap((groups) => keysOfSameGroup(key, groups));
    return closestKey(key, [...this.#byKey.keys(), ...members, ...named]);
  }

  #inNamedGroup(key: string): DeclaredSetting | undefined {
    for (const { property: group, prefix, groupClass, settings } of this.namedGroups) {
      const rest = key.startsWith(`${prefix}.`) ? key.slice(prefix.length) : '';
      const [, name = '', member = ''] = /^\.([a-z0-9-]+)(\..+)$/s.exec(rest) ?? [];
      const setting = settings.get(`${prefix}${member}`);
      if (setting) return { ...setting, key, group, named: { name, groupClass } };
    }
    return undefined;
  }

  #hasKeysBelow(key: string): boolean {
    return this.settings.some((setting) => setting.key.startsWith(`${key}.`));
  }

  #assertConsistent(): void {
    const variables = new Set<string>();
    for (const { key } of this.settings) {
      if (this.#hasKeysBelow(key)) {
        throw new TypeError(`${key} is a setting and a group of settings`);
      }
      for (const variable of environmentNames(key)) {
        if (variables.has(variable)) {
          throw new TypeError(`${key} and another setting share a name in the environment`);
        }
        variables.add(variable);
      }
    }
  }
}

function byKey(settings: readonly DeclaredSetting[]): ReadonlyMap<string, DeclaredSetting> {
  return new Map(settings.map((setting) => [setting.key, setting]));
}

/** The keys of the group by name that a key may belong to. */
function keysOfSameGroup(key: string, { prefix, settings }: NamedGroupKeys): readonly string[] {
  if (!key.startsWith(`${prefix}.`)) return [];
  const [name] = normaliseKey(key.slice(prefix.length + 1)).split('.', 1);
  return [...settings.keys()].map((each) => `${prefix}.${name}${each.slice(prefix.length)}`);
}

function firstSegment(key: string): string {
  return key.split('.', 1)[0] ?? key;
}

/** Spring ignores case, hyphens and underscores in the names of its properties. */
function springName(key: string): string {
  return key.replaceAll(/[-_]/g, '').toLowerCase();
}

/** `logging.levels.a.b` as a member of the family `logging.level`: `logging.level.a.b`. */
function asMemberOf(key: string, family: string): string {
  const rest = key.split('.').slice(family.split('.').length);
  return [family, ...rest].join('.');
}
