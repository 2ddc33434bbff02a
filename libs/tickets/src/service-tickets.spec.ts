import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { SERVICE_DEFAULTS, type RegisteredService } from '@tessera/services';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { until } from '../../../test/support/until.js';
import { PostgresTicketRegistry } from './postgres/postgres-ticket-registry.js';
import { ServiceTickets } from './service-tickets.js';
import type { TicketEvent } from './ticket-events.js';
import { TicketGranting } from './ticket-granting.js';

const HOUR = 3_600_000;
const APP = 'https://app/';
const PORTAL = 'https://portal/';
const CALLBACK = 'https://portal/pgt';

describe('service tickets', () => {
  let database: TestDatabase;
  let registry: PostgresTicketRegistry;
  let granting: TicketGranting;
  let registered: Readonly<Record<string, RegisteredService>>;
  let serviceTickets: ServiceTickets;
  const events: TicketEvent[] = [];

  const define = (service: Partial<RegisteredService>): RegisteredService => ({
    ...SERVICE_DEFAULTS,
    id: '1',
    serviceId: '.*',
    name: 'app',
    pseudonymSalt: 'x'.repeat(32),
    ...service,
  });

  beforeAll(async () => {
    database = await createTestDatabase();
    const lifetimes = {
      grantingTicketMax: HOUR,
      grantingTicketIdle: HOUR,
      rememberedGrantingTicket: 14 * 24 * 3_600_000,
      serviceTicket: HOUR,
      proxyTicket: HOUR,
    };
    registry = new PostgresTicketRegistry(poolOf(database.dataSource), {
      lifetimes,
    });
    granting = new TicketGranting(registry);
    serviceTickets = new ServiceTickets(
      registry,
      { match: (service) => registered[service], owners: () => [] },
      { singleLogout: false, observe: (event) => events.push(event) },
    );
    registered = {
      [APP]: define({}),
      [PORTAL]: define({ proxyPolicy: { kind: 'pattern', pattern: CALLBACK } }),
      'https://disabled/': define({ enabled: false }),
      'https://expired/': define({ expiresAt: '2020-01-01T00:00:00.000Z' }),
      'https://staff/': define({ requiredAttributes: { memberOf: ['staff'] } }),
      'https://board/': define({ requiredAttributes: { memberOf: ['board'] } }),
      'https://nosso/': define({ ssoEnabled: false }),
      'https://brief/': define({ serviceTicketLifetime: 1, proxyTicketLifetime: 1 }),
    };
  });
  afterAll(() => database.drop());

  const login = async (): Promise<string> => {
    const principal = { id: 'ann', attributes: { memberOf: ['staff'] } };
    const { text } = await granting.issue({
      principal,
      handler: 'static',
      credentialType: 'UsernamePasswordCredential',
      authenticatedAt: new Date(),
      methods: [],
    });
    return text;
  };
  const validate = (
    ticket: string,
    service = APP,
    options: { renew?: boolean; proxy?: boolean } = {},
  ) =>
    serviceTickets.validate({
      ticket,
      service,
      renew: options.renew ?? false,
      acceptsProxyTickets: options.proxy ?? false,
    });

  test.each([
    ['an unregistered service', 'https://unknown/', 'SERVICE_NOT_AUTHORIZED'],
    ['a disabled service', 'https://disabled/', 'SERVICE_NOT_AUTHORIZED'],
    ['a service that has expired', 'https://expired/', 'SERVICE_NOT_AUTHORIZED'],
    ['a service that asks for another attribute', 'https://board/', 'SERVICE_NOT_AUTHORIZED'],
  ])('are not granted for %s', async (_, service, code) => {
    await expect(serviceTickets.grant(await login(), service)).rejects.toMatchObject({ code });
    expect(events.at(-1)).toMatchObject({ kind: 'ST', reason: code, principal: 'ann', service });
  });

  test('are not granted to a proxy for an unregistered service', async () => {
    const { text } = await serviceTickets.grant(await login(), PORTAL);
    const pgt = await granting.issueProxy(await validate(text, PORTAL), CALLBACK);
    const [service, code] = ['https://unknown/', 'SERVICE_NOT_AUTHORIZED'];
    await expect(serviceTickets.grantProxy(pgt.text, service)).rejects.toMatchObject({ code });
    expect(events.at(-1)).toMatchObject({ kind: 'PT', reason: code, principal: 'ann', service });
  });

  test.each([APP, 'https://unknown/', 'https://board/'])(
    'are not granted against what is no TGT, whatever the service: %s',
    async (service) => {
      for (const id of ['garbage', 'TGT-x', 'ST-0x', '']) {
        await expect(serviceTickets.grant(id, service)).rejects.toMatchObject({
          code: 'GRANTING_TICKET_NOT_FOUND',
        });
      }
    },
  );

  test('refused for one service leave the first login to the next', async () => {
    const tgt = await login();
    await expect(serviceTickets.grant(tgt, 'https://board/')).rejects.toThrow();
    const { text } = await serviceTickets.grant(tgt, APP);
    expect(await validate(text)).toMatchObject({ fromNewLogin: true });
  });

  test('live as long as their service says', async () => {
    const tgt = await login();
    const { text } = await serviceTickets.grant(tgt, PORTAL);
    const pgt = await granting.issueProxy(await validate(text, PORTAL), CALLBACK);
    const st = await serviceTickets.grant(tgt, 'https://brief/');
    const pt = await serviceTickets.grantProxy(pgt.text, 'https://brief/');
    await until('the tickets are gone', async () => {
      return !(await registry.isLive(st)) && !(await registry.isLive(pt));
    });
    await expect(validate(st.text, 'https://brief/')).rejects.toMatchObject({
      code: 'INVALID_TICKET',
    });
  });

  test('outside single sign-on need a new login', async () => {
    const tgt = await login();
    await serviceTickets.grant(tgt, APP);
    const nosso = 'https://nosso/';
    await expect(serviceTickets.grant(tgt, nosso)).rejects.toMatchObject({
      code: 'NEW_LOGIN_REQUIRED',
    });
    const { text } = await serviceTickets.grant(tgt, nosso, { withCredentials: true });
    expect(await validate(text, nosso)).toMatchObject({ fromNewLogin: true });
  });

  test('name the principal and the registration', async () => {
    const { text } = await serviceTickets.grant(await login(), 'https://staff/');
    expect(await validate(text, 'https://staff/')).toMatchObject({
      service: 'https://staff/',
      authentication: { principal: { id: 'ann' } },
      registeredService: registered['https://staff/'],
      proxies: [],
    });
  });

  test.each([
    ['another service', 'https://other/', {}, 'INVALID_SERVICE'],
    ['a prefix of the service', 'https://ap', {}, 'INVALID_SERVICE'],
    ['renew, after the first', APP, { renew: true }, 'INVALID_TICKET'],
  ])('are spent by an attempt that fails: %s', async (_, service, options, code) => {
    const tgt = await login();
    await serviceTickets.grant(tgt, APP);
    const { text } = await serviceTickets.grant(tgt, APP);
    await expect(validate(text, service, options)).rejects.toMatchObject({ code });
    await expect(validate(text)).rejects.toMatchObject({ code: 'INVALID_TICKET' });
  });

  test.each(['disabled', 'expired', 'removed', 'closed to the principal'])(
    'are refused when the service was %s meanwhile',
    async (change) => {
      const { text } = await serviceTickets.grant(await login(), APP);
      const { [APP]: before, ...others } = registered;
      const after = {
        disabled: { ...others, [APP]: define({ enabled: false }) },
        expired: { ...others, [APP]: define({ expiresAt: new Date().toISOString() }) },
        removed: others,
        'closed to the principal': {
          ...others,
          [APP]: define({ requiredAttributes: { memberOf: ['board'] } }),
        },
      }[change];
      registered = after ?? {};
      try {
        await expect(validate(text)).rejects.toMatchObject({ code: 'UNAUTHORIZED_SERVICE' });
      } finally {
        registered = { ...others, [APP]: before ?? define({}) };
      }
    },
  );

  test('are redeemed by the same service in other letters', async () => {
    const { text } = await serviceTickets.grant(await login(), APP);
    expect(await validate(text, 'HTTPS://APP:443/#x')).toMatchObject({ service: APP });
  });
});
