// The adapter of each model of the library.
import { Injectable } from '@nestjs/common';
import type { Adapter, Provider } from 'oidc-provider';
import { sha256 } from '@tessera/crypto';
import { ClientRegistrations } from '../clients/client-registrations.js';
import { RequestSessions } from '../claims/request-sessions.js';
import { Revocations } from './revocations.js';
import { DeviceCodeAdapter } from './device-code-adapter.js';
import { GrantAdapter } from './grant-adapter.js';
import { MODELS, OidcStore, type StoredModel } from './oidc-store.js';
import { SessionAdapter } from './session-adapter.js';
import { StorageAdapter } from './storage-adapter.js';

@Injectable()
export class StorageAdapters {
  private readonly grants: GrantAdapter;

  constructor(
    private readonly sessions: RequestSessions,
    private readonly store: OidcStore,
    readonly registrations: ClientRegistrations,
    private readonly revocations: Revocations,
  ) {
    this.grants = new GrantAdapter(store, registrations.clients, revocations);
  }

  of(model: string): Adapter {
    const { registrations } = this;
    if (model === 'Session') return new SessionAdapter(this.sessions, this.store);
    if (model === 'Grant') return this.grants;
    if (model === 'Client') return registrations;
    if (model === 'DeviceCode') {
      return new DeviceCodeAdapter(this.store, this.revocations, this.grants);
    }
    if (isStored(model)) return new StorageAdapter(model, this.store, this.revocations);
    throw new Error(`there is no storage for the model ${model}`);
  }

  /** The library finds a proof first and saves it then: here, of calls at the same time with one proof, one goes on. */
  detectReplays({ ReplayDetection }: Provider): void {
    ReplayDetection.unique = (issuer, jti, expiresAt) =>
      this.store.add({
        model: 'ReplayDetection',
        key: sha256(JSON.stringify([issuer, jti])),
        payload: {},
        expiresIn: expiresAt - Date.now() / 1_000,
      });
  }
}

function isStored(model: string): model is StoredModel {
  return MODELS.some((each) => each === model);
}
