// The codes of devices. @see RFC 8628
import type { AdapterPayload } from 'oidc-provider';
import type { GrantAdapter } from './grant-adapter.js';
import type { OidcStore } from './oidc-store.js';
import type { Revocations } from './revocations.js';
import { StorageAdapter } from './storage-adapter.js';

export class DeviceCodeAdapter extends StorageAdapter {
  constructor(
    store: OidcStore,
    revocations: Revocations,
    private readonly grants: Pick<GrantAdapter, 'find'>,
  ) {
    super('DeviceCode', store, revocations);
  }

  /**
   * Reads the grant, too. The library reads it after it has consumed the code. By then another caller with the same code may
   * have ended it, and none would succeed.
   */
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await super.find(id);
    if (found?.grantId !== undefined) await this.grants.find(found.grantId);
    return found;
  }
}
