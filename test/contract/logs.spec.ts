// What is logged, at the lowest level there is: one line each, and nothing worth stealing.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { newTicketId } from '@tessera/tickets';
import { http } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { soap } from '../support/validation.js';

const SECRETS = ['Mellon', 'hunter2-in-the-log'];

describe('the log', () => {
  let sso: Sso;
  const lines: string[] = [];
  const tickets: string[] = [];

  beforeAll(async () => {
    configureLogging({
      application: 'sso',
      levels: { root: 'debug' },
      write: (line) => lines.push(line),
    });
    sso = await startSso();
    const tgt = await sso.login();
    const st = await sso.grant(tgt);
    tickets.push(tgt, st);
    for (const format of ['XML', 'JSON']) {
      await http('GET', sso.url, `/serviceValidate?service=${APP}&ticket=${st}&format=${format}`);
    }
    await http('POST', sso.url, `/samlValidate?TARGET=${APP}`, { body: soap(st) });
    const other = await sso.grant(tgt, `${APP}?q=geheim`);
    tickets.push(other);
    await http('GET', sso.url, `/serviceValidate?service=${APP}x%23geheim&ticket=${other}`);
    const { text: pgt } = newTicketId('PGT');
    tickets.push(pgt);
    await http('GET', sso.url, `/proxy?pgt=${pgt}&targetService=${APP}`);
    const wrong = { username: 'ann\u202e\u2028 <b>', password: 'hunter2-in-the-log' };
    await http('POST', sso.url, '/v1/tickets', { form: wrong });
    await http('POST', sso.url, '/v1/tickets?password=hunter2-in-the-log', { form: wrong });
    await http('GET', sso.url, `/v1/tickets/${tgt}`);
    for (const spelling of ['%54GT-', 'T%47T-', 'TGT%2d', '%54%47%54%2d']) {
      await http('GET', sso.url, `/v1/tickets/${tgt.replace('TGT-', spelling)}`);
    }
    await sso.databaseProxy.set('refuse');
    await http('GET', sso.url, `/serviceValidate?service=${APP}&ticket=${st}`);
    await http('POST', sso.url, `/v1/tickets/${tgt}`, { form: { service: APP } });
    await sso.databaseProxy.set('open');
    await http('DELETE', sso.url, `/v1/tickets/${tgt}`);
  });
  afterAll(async () => {
    await sso.close();
    configureLogging({ application: 'sso', levels: {} });
  });

  test('logs logins, refusals, requests and errors', () => {
    const all = lines.join('\n');
    for (const text of [
      'authentication accepted',
      'authentication refused',
      '"msg":"request"',
      'answered 503',
    ]) {
      expect(all).toContain(text);
    }
  });

  test('has each failed validation at debug, with the service of the ticket, and no query of a URL', () => {
    const failures = lines
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      .filter(({ msg }) => msg === 'validation failed');
    const ends = tickets.map((ticket) => `ST-…${ticket.slice(-4)}`);
    expect(failures).toEqual([
      expect.objectContaining({ code: 'INVALID_TICKET', ticket: ends[1], service: APP }),
      expect.objectContaining({ code: 'INVALID_TICKET', ticket: ends[1], service: APP }),
      expect.objectContaining({
        level: 'debug',
        logger: 'validation',
        code: 'INVALID_SERVICE',
        ticket: ends[2],
        service: `${APP}x`,
        issuedFor: APP,
      }),
    ]);
    expect(lines.join('\n')).not.toContain('geheim');
  });

  test('holds no password and no whole ticket', () => {
    const all = lines.join('\n');
    const bare = tickets.map((ticket) => ticket.slice(ticket.indexOf('-') + 1));
    for (const secret of [...SECRETS, ...tickets, ...bare]) expect(all).not.toContain(secret);
  });

  test('gives each record one line of JSON, without a control character', () => {
    for (const line of lines) {
      expect(() => JSON.parse(line) as unknown).not.toThrow();
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
    }
  });
});
