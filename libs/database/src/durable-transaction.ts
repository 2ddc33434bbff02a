import type { EntityManager } from 'typeorm';

/** As `manager.transaction`, with a commit that waits for synchronous standbys: the answer survives a failover. */
export function durableTransaction<T>(
  manager: EntityManager,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return manager.transaction(async (inside) => {
    await inside.query('set local synchronous_commit to on');
    return work(inside);
  });
}
