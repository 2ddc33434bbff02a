import { beforeEach, describe, expect, test } from '@jest/globals';
import { serviceImportSuite } from '../../../../test/support/service-import.js';
import { ServiceSnapshot } from '../matching/service-snapshot.js';
import { importServiceFiles } from './import-service-files.js';

const suite = serviceImportSuite();
const { service, write, run } = suite;

describe('a definition of another protocol', () => {
  const SAML = {
    '@class': 'org.apereo.cas.support.saml.services.SamlRegisteredService',
    serviceId: '^(https|http)://.*',
  };
  const ignored =
    'is a definition of SAML, which is not here: it opens and closes no URL of CAS services';

  test('is reported, and not stored', async () => {
    await write('a.json', service(SAML));
    await write('b.json', service({ id: 2, evaluationOrder: 5 }));
    expect(await run()).toEqual({
      complete: false,
      refused: false,
      outcomes: { 'a.json': `ignored: ${ignored}`, 'b.json': 'added' },
    });
    expect(await suite.store.list()).toMatchObject([{ serviceId: 'https://a/.*', enabled: true }]);
  });

  test('refuses nothing, whatever its pattern', async () => {
    await write('a.json', service({ ...SAML, serviceId: '(?!a)', evaluationOrder: 'x' }));
    expect(await run()).toMatchObject({ refused: false });
  });

  test('removes the service that was imported from its file', async () => {
    await write('a.json', service());
    await write('b.json', service({ id: 2 }));
    await run();
    await write('a.json', service(SAML));
    const removed = { 'a.json': `removed: ${ignored}`, 'b.json': 'unchanged' };
    expect(await run(suite.directory, { dryRun: true })).toMatchObject({ outcomes: removed });
    expect(await suite.store.list()).toHaveLength(2);
    expect(await run()).toMatchObject({ outcomes: removed });
    expect(await suite.store.list()).toMatchObject([{ name: 'a' }]);
    expect(await run()).toMatchObject({ outcomes: { 'a.json': `ignored: ${ignored}` } });
  });

  test('removes no service of another file, or of no file', async () => {
    await write('a.json', service(SAML));
    await write('b.json', service());
    await suite.store.add({ serviceId: SAML.serviceId, name: 'a' });
    await run();
    await run();
    expect(await suite.store.list()).toHaveLength(2);
  });
});

describe('with skipUnreadable, a refused file that closes its URLs', () => {
  const CATCH_ALL = { serviceId: '^https://.*', name: 'Everything', id: 9, evaluationOrder: 1000 };
  const CLOSED = {
    accessStrategy: {
      '@class': 'org.apereo.cas.services.DefaultRegisteredServiceAccessStrategy',
      enabled: false,
    },
  };
  const PARTIAL = {
    matchingStrategy: {
      '@class': 'org.apereo.cas.services.PartialRegexRegisteredServiceMatchingStrategy',
    },
  };
  const MAY_CLOSE = 'it may close its URLs, or restrict them: without it, they may be open';

  async function ownerOf(url: string): Promise<string | undefined> {
    const snapshot = await ServiceSnapshot.of(await suite.store.list());
    const found = snapshot.match(url);
    return found && `${found.name}${found.enabled ? '' : ', disabled'}`;
  }

  async function adviceOn(file: string): Promise<readonly string[]> {
    const { files } = await importServiceFiles(suite.store, suite.directory, {
      skipUnreadable: true,
    });
    const report = files.find((each) => each.file === file);
    return report !== undefined && 'advice' in report ? report.advice : [];
  }

  beforeEach(() => write('z.json', service(CATCH_ALL)));

  test('closes them until it is corrected', async () => {
    const pay = { serviceId: '^https://pay\\.example\\.org/', name: 'Pay', id: 2 };
    await write('pay.json', service({ ...pay, ...CLOSED, ...PARTIAL }));
    const advice = [
      'its URLs stay closed until it is corrected: "Pay" ' +
        '(disabled, order 0, pattern .*(?:^https://pay\\.example\\.org/).*)',
    ];
    expect(await adviceOn('pay.json')).toEqual(advice);
    expect(await adviceOn('pay.json')).toEqual(advice);
    expect(await suite.store.list()).toHaveLength(2);
    expect(await ownerOf('https://pay.example.org/x')).toBe('Pay, disabled');
    expect(await ownerOf('https://x.example.org/')).toBe('Everything');
    await write('pay.json', service({ ...pay, serviceId: `${pay.serviceId}.*` }));
    await run();
    expect(await suite.store.list()).toHaveLength(2);
    expect(await ownerOf('https://pay.example.org/x')).toBe('Pay');
  });

  test('also where another file has its id', async () => {
    await write('a.json', service());
    await write('b.json', service({ serviceId: 'https://b/.*', name: 'b', ...CLOSED }));
    await write('c.json', service({ serviceId: 'https://a/.*', name: 'c', ...CLOSED }));
    await write('d.json', service({ serviceId: 'https://d/.*', name: 'd' }));
    await run(suite.directory, { skipUnreadable: true });
    await run(suite.directory, { skipUnreadable: true });
    expect(await suite.store.list()).toHaveLength(3);
    expect(await ownerOf('https://a/')).toBe('a');
    expect(await ownerOf('https://b/')).toBe('b, disabled');
    expect(await ownerOf('https://d/')).toBe('Everything');
  });

  test.each<[string, string, readonly string[]]>([
    ['a file that cannot be read', '{', [MAY_CLOSE]],
    [
      'a pattern that cannot be read',
      service({ id: 2, serviceId: '^https://(?!b)a/', ...CLOSED }),
      [
        MAY_CLOSE,
        expect.stringMatching(/^without it, https:\/\/a\/ belongs to "Everything"/) as never,
      ],
    ],
  ])('is named: %s', async (_what, content, advice) => {
    await write('b.json', content);
    expect((await adviceOn('b.json')).slice(0, advice.length)).toEqual(advice);
    expect(await suite.store.list()).toHaveLength(1);
  });
});
