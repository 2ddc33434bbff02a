// Reads settings from the command line: `--key=value` and `--key value`.
import type { SettingKeys } from '../setting-keys.js';
import { layerOf, unknownKey, type Layer } from '../layer.js';
import type { ReportedViolation } from '../violation.js';
import type { RawEntry } from '../raw-value.js';

const ORIGIN = 'command line';

/**
 * The settings among the arguments. If a key is given twice, the last value wins. A key that no application of the product
 * declares is a violation here, unlike in files. Other words are not quoted: they may be part of a password.
 */
export function readCommandLine(argv: readonly string[], settingKeys: SettingKeys): Layer {
  const entries: RawEntry[] = [];
  const violations: ReportedViolation[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    const match = /^--([^=\s]+)(?:=(.*))?$/s.exec(argument);
    const key = match?.[1];
    if (key === undefined) {
      violations.push({
        key: `argument ${index + 1}`,
        message: 'is not of the form --key=value',
        origin: ORIGIN,
      });
      continue;
    }
    let text = match?.[2];
    if (text === undefined && !(argv[index + 1] ?? '--').startsWith('--')) {
      index += 1;
      text = argv[index];
    }
    if (settingKeys.isOfProduct(key) && settingKeys.migrationHint(key) === undefined) {
      entries.push({ key, value: { content: text ?? null, origin: ORIGIN } });
    } else {
      violations.push(unknownKey(key, ORIGIN, settingKeys));
    }
  }
  return layerOf(entries, settingKeys, violations);
}
