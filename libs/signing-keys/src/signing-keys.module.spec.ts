import { expect, test } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { newKeyFile, parseEnvelopeKey } from '@tessera/crypto';
import { DatabaseModule } from '@tessera/database';
import { createTestDatabase } from '../../../test/support/database.js';
import { SigningKeys } from './signing-keys.js';
import { SigningKeysModule } from './signing-keys.module.js';

const SEALING_KEY = parseEnvelopeKey(newKeyFile().trim())!;

test.each([
  [
    'with a sealing key, the module has keys as soon as it is initialised',
    [SEALING_KEY],
    undefined,
  ],
  ['without one, it does not start', [], 'SEALING_KEY_MISSING'],
])('%s', async (_, sealingKeys, code) => {
  const { url, drop } = await createTestDatabase();
  const database = DatabaseModule.forRootAsync({
    useFactory: () => ({
      url,
      applicationName: 'test',
      poolSize: 2,
      nodeId: 'node',
      onCredentialsRefused: () => Promise.resolve(),
      isFirst: true,
    }),
  });
  const keys = SigningKeysModule.forRootAsync({
    imports: [database],
    useFactory: () => ({ sealingKeys, generatesKey: false }),
  });
  try {
    const compiled = Test.createTestingModule({ imports: [keys] }).compile();
    if (code !== undefined) {
      await expect(compiled).rejects.toMatchObject({ code });
      return;
    }
    const application = await (await compiled).init();
    expect(application.get(SigningKeys, { strict: false }).current()).toHaveLength(2);
    await application.close();
  } finally {
    await drop();
  }
});
