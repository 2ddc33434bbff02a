// What the library stores of a model, in our tables. The text that a client has is stored as its SHA-256 alone.
import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider';
import { sha256 } from '@tessera/crypto';
import type { Revocations } from './revocations.js';
import type { FoundEntry, OidcStore, StoredModel } from './oidc-store.js';

/** Stands for the text of an entry where another entry names it, followed by the SHA-256. */
const REFERENCE = '#';
/** Members by which one entry names another by its text. */
const REFERRING = ['deviceCode', 'parJti'] as const;
/** Takes the place of the own text. */
const OWN_TEXT = '{id}';

export class StorageAdapter implements Adapter {
  constructor(
    private readonly model: StoredModel,
    private readonly store: OidcStore,
    private readonly revocations: Pick<Revocations, 'revoke'>,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn = 0): Promise<undefined> {
    const { grantId, clientId, userCode } = payload;
    await this.store.save({
      model: this.model,
      key: this.keyOf(id),
      payload: stored(id, payload),
      grantId,
      clientId,
      userCode: userCode === undefined ? undefined : sha256(userCode),
      expiresIn,
    });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.store.find(this.model, this.keyOf(id));
    return found && restored(id, found);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    const found = await this.store.findByUserCode(sha256(userCode));
    return found && { ...restored(`${REFERENCE}${found.key}`, found), userCode };
  }

  /**
   * The library does not look at what it has read before: here one of any number of callers goes on.
   *
   * @throws InvalidGrant, InvalidRequestUri where another was first; the grant is revoked
   */
  async consume(id: string): Promise<undefined> {
    const key = this.keyOf(id);
    if (await this.store.consume(this.model, key)) return;
    const found = await this.store.find(this.model, key);
    const { grantId } = found?.payload ?? {};
    if (typeof grantId === 'string') await this.revocations.revoke(grantId);
    if (this.model === 'PushedAuthorizationRequest') {
      throw new errors.InvalidRequestUri('the request_uri was used already');
    }
    throw new errors.InvalidGrant('it was used already');
  }

  async destroy(id: string): Promise<undefined> {
    await this.store.remove(this.model, this.keyOf(id));
  }

  /** With all models of the grant. */
  async revokeByGrantId(grantId: string): Promise<undefined> {
    await this.revocations.revoke(grantId);
  }

  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** A reference is taken from entries alone, never from a client. */
  private keyOf(id: string): string {
    const isReference = id.startsWith(REFERENCE) && followsReferences(this.model);
    return isReference ? id.slice(REFERENCE.length) : sha256(id);
  }
}

/** Where the library follows a reference. Clients and browsers name such an entry elsewhere, by its text. */
function followsReferences(model: StoredModel): boolean {
  if (model !== 'DeviceCode' && model !== 'PushedAuthorizationRequest') return false;
  const route = Provider.ctx?.oidc.route ?? '';
  return ['resume', 'device_resume', 'code_verification'].includes(route);
}

function stored(id: string, { jti: _, userCode: _code, ...payload }: AdapterPayload): object {
  const references = REFERRING.flatMap((name) => {
    const text = payload[name];
    return typeof text === 'string' ? [[name, reference(text)] as const] : [];
  });
  const { returnTo } = payload;
  return {
    ...payload,
    ...Object.fromEntries(references),
    ...(returnTo !== undefined && { returnTo: returnTo.replace(id, OWN_TEXT) }),
  };
}

function reference(text: string): string {
  return text.startsWith(REFERENCE) ? text : `${REFERENCE}${sha256(text)}`;
}

function restored(id: string, { payload, consumed }: FoundEntry): AdapterPayload {
  const { returnTo } = payload;
  return {
    ...payload,
    jti: id,
    ...(typeof returnTo === 'string' && { returnTo: returnTo.replace(OWN_TEXT, id) }),
    ...(consumed !== null && { consumed }),
  };
}
