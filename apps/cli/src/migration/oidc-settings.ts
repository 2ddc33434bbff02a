// Settings of OpenID Connect, whose keys end with the name of a claim or scope.
import { partsOf } from './conversions.js';
import type { OldSetting } from './old-settings.js';
import type { SettingsDraft } from './settings-draft.js';

interface Target {
  readonly draft: SettingsDraft;
}

/** The attribute of each claim. */
export function claims(olds: readonly OldSetting[], { draft }: Target): void {
  for (const old of olds) {
    const attribute = old.values.join(',').trim();
    if (attribute === '') draft.leave(old, 'it is empty');
    else draft.take(old, { 'sso.oidc.claims': { [nameIn(old.key)]: attribute } });
  }
}

/** The claims of each scope. */
export function scopesOfClaims(olds: readonly OldSetting[], { draft }: Target): void {
  for (const old of olds) {
    draft.take(old, { 'sso.oidc.scopes': { [nameIn(old.key)]: partsOf(old.values) } });
  }
}

/** As it is written behind `claims-map.` or in brackets. */
function nameIn(key: string): string {
  return key.replace(/^.*(?:claims-?map|user-?defined-?scopes)[.[]*/i, '').replace(/\]$/, '');
}
