// Adds the attributes of further sources to those of the handler, and those that are computed of them all.
import { loggerFor } from '@tessera/logging';
import type { Attributes, Principal } from '@tessera/services';
import type { PrincipalSettings } from '../settings/principal-settings.js';
import { AttributeCache } from './attribute-cache.js';
import type { AttributeSource } from './attribute-source.js';
import { ComputedAttributes } from './computed-attributes.js';
import { mergedAttributes } from './merged-attributes.js';

const log = loggerFor('authentication');

type Rules = Pick<
  PrincipalSettings,
  'mergeRule' | 'optionalSources' | 'cacheFor' | 'computedAttributes'
>;

/** `anew`: not from the cache. */
export type Reading = 'cached' | 'anew';

export class FurtherAttributes {
  private readonly cache: AttributeCache;
  private readonly computed: ComputedAttributes;

  /** @param sources in the order in which they are merged, after the handler */
  constructor(
    private readonly sources: readonly AttributeSource[],
    private readonly rules: Rules,
  ) {
    this.cache = new AttributeCache(rules.cacheFor);
    this.computed = new ComputedAttributes(rules.computedAttributes);
  }

  /**
   * The attributes that a principal has after a login. The sources are asked at the same time.
   *
   * @param handler that accepted the principal. A source that the handler has read itself is not asked again
   * @throws the error of the first source that is unavailable and not optional
   */
  async of(
    principal: Principal,
    handler: string,
    reading: Reading = 'cached',
  ): Promise<Attributes> {
    return this.computed.addedTo(await this.merged(principal, handler, reading));
  }

  async close(): Promise<void> {
    await Promise.all(this.sources.flatMap((each) => each.close?.() ?? []));
  }

  private async merged(
    principal: Principal,
    handler: string,
    reading: Reading,
  ): Promise<Attributes> {
    const { attributes } = principal;
    if (this.sources.length === 0) return attributes;
    const settled = await Promise.allSettled(
      this.sources.map((source) => this.read(source, principal, handler, reading)),
    );
    const further = settled.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
    return mergedAttributes(this.rules.mergeRule, [attributes, ...further]);
  }

  private async read(
    source: AttributeSource,
    { id, attributes }: Principal,
    handler: string,
    reading: Reading,
  ): Promise<Attributes> {
    if (source.handlers.includes(handler)) return attributes;
    const { name } = source;
    const cached = reading === 'cached' ? this.cache.find(name, id) : undefined;
    if (cached !== undefined) return cached;
    try {
      const read = await source.attributesOf(id);
      this.cache.keep(name, id, read);
      return read ?? {};
    } catch (error) {
      if (!this.rules.optionalSources.includes(name)) throw error;
      log.warn(
        { source: name, principal: id, error },
        'an optional source of attributes is unavailable: a login does without it',
      );
      return {};
    }
  }
}
