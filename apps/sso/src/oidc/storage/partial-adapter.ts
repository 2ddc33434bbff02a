// An adapter of a model that the library only reads: what it writes is kept elsewhere.
import type { Adapter, AdapterPayload } from 'oidc-provider';

const NOTHING = Promise.resolve(undefined);

export abstract class PartialAdapter implements Adapter {
  abstract find(id: string): Promise<AdapterPayload | undefined>;

  findByUid(_uid: string): Promise<AdapterPayload | undefined> {
    return NOTHING;
  }

  findByUserCode(): Promise<undefined> {
    return NOTHING;
  }

  upsert(): Promise<undefined> {
    return NOTHING;
  }

  consume(): Promise<undefined> {
    return NOTHING;
  }

  destroy(_id: string): Promise<undefined> {
    return NOTHING;
  }

  revokeByGrantId(): Promise<undefined> {
    return NOTHING;
  }
}
