// The adapter of each model of the library.
import { Injectable } from '@nestjs/common';
import type { Adapter } from 'oidc-provider';
import { SessionAdministration } from '@tessera/tickets';
import { Clients } from '../clients.js';
import { Revocations } from '../revocations.js';
import { GrantAdapter } from './grant-adapter.js';
import { MODELS, OidcStore, type StoredModel } from './oidc-store.js';
import { SessionAdapter } from './session-adapter.js';
import { StorageAdapter } from './storage-adapter.js';

@Injectable()
export class StorageAdapters {
  constructor(
    private readonly sessions: SessionAdministration,
    private readonly store: OidcStore,
    private readonly clients: Clients,
    private readonly revocations: Revocations,
  ) {}

  of(model: string): Adapter {
    if (model === 'Session') return new SessionAdapter(this.sessions, this.store);
    if (model === 'Grant') return new GrantAdapter(this.store, this.revocations);
    if (model === 'Client') return this.clients;
    if (isStored(model)) return new StorageAdapter(model, this.store, this.revocations);
    throw new Error(`there is no storage for the model ${model}`);
  }
}

function isStored(model: string): model is StoredModel {
  return MODELS.some((each) => each === model);
}
