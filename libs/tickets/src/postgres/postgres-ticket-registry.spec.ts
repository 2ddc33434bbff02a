import { poolOf } from '@tessera/database';
import { createTestDatabase } from '../../../../test/support/database.js';
import { describeTicketRegistry } from '../ticket-registry.conformance.js';
import { PostgresTicketRegistry } from './postgres-ticket-registry.js';

describeTicketRegistry('on PostgreSQL', async () => {
  const database = await createTestDatabase();
  return {
    make: (lifetimes) => new PostgresTicketRegistry(poolOf(database.dataSource), { lifetimes }),
    close: () => database.drop(),
  };
});
