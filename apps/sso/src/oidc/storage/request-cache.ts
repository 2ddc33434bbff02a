// Caches what the library reads several times in one request.
import { Provider } from 'oidc-provider';

export class RequestCache<V> {
  /** By the context of a request. */
  private readonly known = new WeakMap<object, Map<string, Promise<V>>>();

  constructor(private readonly read: (key: string) => Promise<V>) {}

  find(key: string): Promise<V> {
    const { ctx } = Provider;
    if (ctx === undefined) return this.read(key);
    const known = this.known.get(ctx) ?? new Map<string, Promise<V>>();
    this.known.set(ctx, known);
    const found = known.get(key) ?? this.read(key);
    known.set(key, found);
    return found;
  }
}
