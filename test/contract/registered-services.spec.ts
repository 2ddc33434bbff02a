// What becomes of a service that was registered over REST, and what is kept and said of who did it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { useProductionTimeouts } from '../support/database.js';
import { http, type Reply } from '../support/http.js';
import { add, SETTINGS, countStored, WIKI } from '../support/service-registration.js';
import { startSso, type Sso } from '../support/sso.js';

useProductionTimeouts();

describe('a registered service', () => {
  let sso: Sso;
  let admin: string;
  let turn = 0;

  beforeAll(async () => {
    sso = await startSso({ settings: SETTINGS });
    admin = await sso.login();
  });
  afterAll(() => sso.close());

  /** Registers a service at a host of its own; the URL of that host and the id. */
  async function register(fields: Readonly<Record<string, string>> = {}) {
    turn += 1;
    const host = `https://host-${turn}.example.org`;
    const form = { ...WIKI, serviceId: `${host}/.*`, ...fields };
    const { status, body } = await add(sso, admin, { form });
    expect(status).toBe(200);
    return { id: body, url: `${host}/` };
  }

  const ticketFor = (service: string): Promise<Reply> =>
    http('POST', sso.url, `/v1/tickets/${admin}`, { form: { service } });

  test('gets tickets as soon as the answer is there, and gets only the user', async () => {
    const { url } = await register();
    const st = await sso.grant(admin, url);
    const reply = await http('GET', sso.url, `/p3/serviceValidate?service=${url}&ticket=${st}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toContain('<cas:user>casuser</cas:user>');
    expect(reply.body).not.toContain('example.org');
  });

  test('that is disabled gets none', async () => {
    const { url } = await register({ enabled: 'false' });
    expect((await ticketFor(url)).status).toBe(403);
  });

  test('without single sign-on gets them for a new login alone', async () => {
    const { url } = await register({ ssoEnabled: 'false' });
    await sso.grant(admin);
    expect((await ticketFor(url)).status).toBe(403);
    expect(await sso.grant(await sso.login(), url)).toMatch(/^ST-/);
  });

  test('of a lower order decides', async () => {
    const { url } = await register({ evaluationOrder: '10' });
    await register({ serviceId: `${url}.*`, evaluationOrder: '-10', enabled: 'false' });
    expect((await ticketFor(url)).status).toBe(403);
  });

  test.each([
    ['many nested repetitions', '(a+)+$'],
    ['characters from everywhere', 'https://b\u00fccher\\.example/\u65e5\u672c/.*'],
    ['SQL', "https://x/'; drop table registered_service; --"],
  ])('is kept as it was sent: %s', async (_, serviceId) => {
    const fields = { serviceId, name: 'N\u00e4me \ud83d\ude00', description: 'two\nlines' };
    const { id } = await register(fields);
    const [row] = await sso.database.dataSource.query<readonly unknown[]>(
      'select service_id as "serviceId", name, description from registered_service where id = $1',
      [id],
    );
    expect(row).toEqual(fields);
  });

  test('has an id of its own, however many are added at once', async () => {
    const added = await Promise.all(Array.from({ length: 8 }, () => register()));
    expect(new Set(added.map(({ id }) => id)).size).toBe(8);
    for (const { url } of added) expect((await ticketFor(url)).status).toBe(200);
  });

  test('has an entry in the audit trail: who, what, when and from where', async () => {
    const { id, url } = await register({ evaluationOrder: '7', ssoEnabled: 'false' });
    const rows = await sso.database.dataSource.query<readonly unknown[]>(
      `select action, principal, session, client_address, application, details,
        occurred_at between now() - interval '1 minute' and now() as recent
        from audit_event where subject = $1`,
      [id],
    );
    expect(rows).toEqual([
      {
        action: 'REGISTER_SERVICE',
        principal: 'casuser',
        session: `TGT-…${admin.slice(-4)}`,
        client_address: '127.0.0.1',
        application: 'sso',
        details: {
          ...WIKI,
          serviceId: `${url}.*`,
          evaluationOrder: 7,
          enabled: true,
          ssoEnabled: false,
        },
        recent: true,
      },
    ]);
  });

  test('is none without its entry in the audit trail', async () => {
    const { dataSource } = sso.database;
    const before = await countStored(sso);
    await dataSource.query('alter table audit_event rename to audit_event_away');
    try {
      const reply = await add(sso, admin, { form: WIKI });
      expect(reply).toMatchObject({ status: 500, body: 'Internal error' });
    } finally {
      await dataSource.query('alter table audit_event_away rename to audit_event');
    }
    expect(await countStored(sso)).toEqual(before);
  });

  test('is none where its entry cannot be written in time: 503', async () => {
    const before = await countStored(sso);
    await sso.database.dataSource.transaction(async (holder) => {
      await holder.query('lock table audit_event in exclusive mode');
      expect((await add(sso, admin, { form: WIKI })).status).toBe(503);
    });
    expect(await countStored(sso)).toEqual(before);
  });

  test.each(['refuse', 'hang'] as const)(
    'is undecided while the database is unavailable (%s): 503 with Retry-After',
    async (state) => {
      const before = await countStored(sso);
      await sso.databaseProxy.set(state);
      try {
        const reply = await add(sso, admin, { form: WIKI });
        expect(reply).toMatchObject({ status: 503, body: 'Service temporarily unavailable' });
        expect(reply.headers['retry-after']).toBe('2');
      } finally {
        await sso.databaseProxy.set('refuse');
        await sso.databaseProxy.set('open');
      }
      expect(await countStored(sso)).toEqual(before);
      await expect(register()).resolves.toMatchObject({ id: expect.stringMatching(/^\d+$/) });
    },
  );
});

describe('the log', () => {
  const lines: string[] = [];
  const said = (text: string) => lines.filter((line) => line.includes(text));

  beforeAll(() => {
    configureLogging({ application: 'sso', levels: {}, write: (line) => lines.push(line) });
  });
  afterAll(() => configureLogging({ application: 'sso', levels: {} }));

  test('tells of each registration and each refusal, without the ticket', async () => {
    const sso = await startSso({ settings: SETTINGS });
    try {
      const [admin, ann] = [await sso.login(), await sso.login('ann')];
      const { body: id } = await add(sso, admin, { form: WIKI });
      await add(sso, ann, { form: WIKI });
      const [recorded, refused] = said('"logger":"audit"').map(
        (line) => JSON.parse(line) as object,
      );
      const common = { 'event.action': 'REGISTER_SERVICE', 'client.address': '127.0.0.1' };
      expect(recorded).toMatchObject({
        ...common,
        level: 'info',
        msg: 'REGISTER_SERVICE success',
        'user.name': 'casuser',
        'labels.subject': id,
        'labels.session': `TGT-…${admin.slice(-4)}`,
      });
      expect(refused).toMatchObject({
        ...common,
        level: 'warn',
        msg: 'REGISTER_SERVICE failure',
        'user.name': 'ann',
        'event.reason': 'CALLER_NOT_ALLOWED',
      });
      for (const tgt of [admin, ann]) expect(said(tgt.slice(4))).toEqual([]);
    } finally {
      await sso.close();
    }
  });

  test('warns at start where no role is given, and then nobody is authorized', async () => {
    const role = ['--sso.rest.services.role-name=', '--sso.rest.services.role-value='];
    const sso = await startSso({ settings: [...SETTINGS, ...role] });
    try {
      expect(said('nobody may register services')).toHaveLength(1);
      const reply = await add(sso, await sso.login(), { form: WIKI });
      expect(reply).toMatchObject({ status: 403, body: 'Request is not authorized' });
    } finally {
      await sso.close();
    }
  });
});
