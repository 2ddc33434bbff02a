// Every status of service registration, in both dialects, byte for byte; none but 200 leaves anything behind.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { http } from '../support/http.js';
import { add, SETTINGS, countStored, WIKI } from '../support/service-registration.js';
import { startSso, type Sso } from '../support/sso.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const TEXT = 'text/plain;charset=UTF-8';
const NOT_FOUND = 'TicketGrantingTicket could not be found';
const NOT_AUTHORIZED = 'Request is not authorized';

describe.each(['documented', 'apereo'])('service registration in dialect %s', (dialect) => {
  let sso: Sso;
  let admin: string;
  let before: unknown;

  beforeAll(async () => {
    sso = await startSso({
      settings: [...SETTINGS, `--sso.dialect=${dialect}`, '--sso.rest.services.min-order=-10'],
      services: [{ serviceId: 'https://pay\\.corp/.*', name: 'pay', evaluationOrder: 5 }],
    });
    admin = await sso.login();
  });
  afterAll(() => sso.close());

  describe('that is refused stores nothing:', () => {
    beforeAll(async () => {
      before = await countStored(sso);
    });
    afterAll(async () => {
      expect(await countStored(sso)).toEqual(before);
    });

    test.each([
      ['no type', undefined],
      ['JSON', 'application/json'],
      ['multipart', 'multipart/form-data; boundary=x'],
      ['another charset', 'application/x-www-form-urlencoded; charset=ISO-8859-1'],
    ])('an entity of %s is answered 415, whatever the TGT', async (_, type) => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const call = { body: new URLSearchParams(WIKI).toString(), headers };
      for (const tgt of [admin, 'TGT-unknown']) {
        expect((await add(sso, tgt, call)).status).toBe(415);
      }
    });

    test.each([64, 1_024])('an entity of more than %d KiB is answered 413', async (size) => {
      const form = { ...WIKI, description: 'x'.repeat(size * 1_024) };
      const reply = await add(sso, admin, { form });
      expect(reply).toMatchObject({ status: 413, body: 'the body is larger than 65536 bytes' });
    });

    test.each([
      ['in the body', '', 'serviceId=%zz'],
      ['in the query', '?x=%zz', 'serviceId=x'],
      ['that is no UTF-8', '', 'serviceId=%ff'],
    ])(
      'encoding that is malformed %s is answered 400, whatever the TGT',
      async (_, query, body) => {
        const reply = await add(sso, `TGT-unknown${query}`, { body, headers: FORM });
        expect(reply).toMatchObject({
          status: 400,
          body: 'a parameter is not well-formed percent-encoded UTF-8',
        });
      },
    );

    test.each(['TGT-unknown', 'garbage', 'PGT-unknown', 'TGT-%00', 'TGT-a%2Fb', '%3Cb%3E'])(
      'the id %s is answered 404, whatever the fields',
      async (id) => {
        for (const form of [WIKI, {}]) {
          const reply = await add(sso, id, { form });
          expect(reply).toMatchObject({ status: 404, body: NOT_FOUND });
          expect(reply.headers['content-type']).toBe(TEXT);
        }
      },
    );

    test('a service ticket, which stays good, and a destroyed TGT are answered 404', async () => {
      const tgt = await sso.login();
      const st = await sso.grant(tgt);
      expect(await add(sso, st, { form: WIKI })).toMatchObject({ status: 404, body: NOT_FOUND });
      expect((await http('GET', sso.url, `/v1/tickets/${st}`)).status).toBe(200);
      await http('DELETE', sso.url, `/v1/tickets/${tgt}`);
      expect(await add(sso, tgt, { form: WIKI })).toMatchObject({ status: 404, body: NOT_FOUND });
    });

    test('a principal without the role is answered 403 and nothing else', async () => {
      const ann = await sso.login('ann');
      for (const form of [WIKI, {}, { serviceId: '(' }]) {
        const reply = await add(sso, ann, { form });
        expect(reply).toMatchObject({ status: 403, body: NOT_AUTHORIZED });
        expect(reply.headers['content-type']).toBe(TEXT);
      }
    });

    test.each([
      ['nothing', '', '', 'serviceId is missing\nname is missing\ndescription is missing'],
      [
        'faults in every field',
        '',
        `serviceId=(%3F%3Da)&name=${'n'.repeat(256)}&evaluationOrder=1.5&enabled=yes&ssoEnabled=no`,
        'serviceId is not an RE2 pattern: invalid or unsupported Perl syntax: (?=\n' +
          'name must have at most 255 characters\n' +
          'description is missing\n' +
          'evaluationOrder must be an integer, -2147483648 to 2147483647\n' +
          'enabled must be true or false\n' +
          'ssoEnabled must be true or false',
      ],
      [
        'repeated and misspelt fields',
        '',
        'serviceId=a&serviceId=a&name=b&description=c&evaluationorder=1',
        'serviceId is given more than once\nthere is no field "evaluationorder"',
      ],
      [
        'control characters',
        '',
        'serviceId=a%00&name=b%0Ac&description=%1B',
        'serviceId must not contain control characters\n' +
          'name must not contain control characters\n' +
          'description must not contain control characters',
      ],
      [
        'a glob',
        '',
        'serviceId=https://wiki.corp/*&name=b&description=c',
        'serviceId must be a regular expression, and https://wiki.corp/* looks like a glob: did you mean https://wiki\\.corp/.*?',
      ],
      [
        'the pattern of a service of the same order',
        '',
        'serviceId=https://pay%5C.corp/.*&name=b&description=c&evaluationOrder=5',
        'serviceId and evaluationOrder are those of service 2, "pay": change that service, or give another evaluationOrder',
      ],
      [
        'markup for a name',
        '',
        'serviceId=a&name=b&description=c&%3Cscript%3E=1',
        'there is no field "%3Cscript%3E"',
      ],
      [
        'fields in the query',
        '?serviceId=a&name=b',
        'description=c',
        'serviceId is missing\nname is missing\n' +
          '"serviceId" must be in the body, not in the query\n' +
          '"name" must be in the body, not in the query',
      ],
    ])('%s is answered 400 with all that is wrong', async (_, query, body, text) => {
      const reply = await add(sso, admin + query, { body, headers: FORM });
      expect(reply).toMatchObject({ status: 400, body: text });
      expect(reply.headers['content-type']).toBe(TEXT);
    });

    test.each([
      ['a pattern that a later service of an operator may share', 'https://pay\\.corp/x', '4'],
      ['every URL', '.*', '-1'],
      ['every URL at the same order and an earlier name', 'https://.*', '5'],
    ])('%s is answered 403 with the reason', async (_, serviceId, evaluationOrder) => {
      const form = { ...WIKI, serviceId, evaluationOrder, name: 'a', enabled: 'false' };
      expect(await add(sso, admin, { form })).toMatchObject({
        status: 403,
        body:
          'the service would come before service 2 (evaluationOrder 5), which an operator registered and which may match ' +
          'the same URLs: give a higher evaluationOrder or a narrower serviceId',
      });
    });

    test('an order below the lowest of the settings is answered 403', async () => {
      const form = { ...WIKI, evaluationOrder: '-11' };
      const reply = await add(sso, admin, { form });
      expect(reply).toMatchObject({ status: 403, body: 'evaluationOrder must be at least -10' });
    });

    test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
      'the method %s is answered 405',
      async (method) => {
        const reply = await http(method, sso.url, `/v1/services/add/${admin}`);
        expect(reply.status).toBe(405);
        expect(reply.headers.allow).toBe('POST');
      },
    );

    test.each(['/v1/services', '/v1/services/add', '/v1/services/1', '/v1/services/add/TGT-x/y'])(
      'the path %s is answered 404',
      async (path) => {
        const reply = await http('POST', sso.url, path, { form: WIKI });
        expect(reply).toMatchObject({ status: 404, body: 'Not found' });
      },
    );
  });

  test.each([
    ['Python', { enabled: 'False', ssoEnabled: 'True', evaluationOrder: '' }],
    ['PHP', { enabled: '0', ssoEnabled: '1' }],
    ['a web page with empty fields', { enabled: '0', ssoEnabled: '', evaluationOrder: '' }],
  ])('is stored as the form of %s means it', async (language, fields) => {
    const serviceId = `https://wiki/${language}`;
    const { status, body } = await add(sso, admin, { form: { ...WIKI, serviceId, ...fields } });
    expect(status).toBe(200);
    const rows = await sso.database.dataSource.query<readonly unknown[]>(
      'select enabled, sso_enabled, evaluation_order from registered_service where id = $1',
      [body],
    );
    expect(rows).toEqual([{ enabled: false, sso_enabled: true, evaluation_order: 2_147_483_647 }]);
  });

  test('comes before a service of an operator with other URLs, or after one with the same', async () => {
    for (const fields of [
      { serviceId: 'https://wiki\\.corp/.*', evaluationOrder: '-10' },
      { serviceId: 'https://pay\\.corp/.*', evaluationOrder: '6' },
    ]) {
      expect((await add(sso, admin, { form: { ...WIKI, ...fields } })).status).toBe(200);
    }
  });

  test('that is accepted is answered 200 with the id alone', async () => {
    const reply = await add(sso, admin, { form: WIKI });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatch(/^[1-9]\d*$/);
    expect(reply.headers).toMatchObject({
      'content-type': TEXT,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });
});

test('where the module is off, its path is none', async () => {
  const sso = await startSso({ settings: ['--sso.modules=rest'] });
  try {
    const reply = await add(sso, await sso.login(), { form: WIKI });
    expect(reply).toMatchObject({ status: 404, body: 'Not found' });
  } finally {
    await sso.close();
  }
});
