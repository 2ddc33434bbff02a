import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../../../test/support/folders.js';
import { tryOwnerLock } from './owner-lock.js';

let folder: string;

beforeEach(async () => {
  folder = await makeFolder();
});

afterEach(() => removeFolder(folder));

describe('the lock of the owner', () => {
  test('has one holder at a time, and is free after its release', () => {
    const path = join(folder, 'owner.lock');
    const first = tryOwnerLock(path);
    expect(first).toBeDefined();
    expect(tryOwnerLock(path)).toBeUndefined();
    expect(tryOwnerLock(path)).toBeUndefined();
    first?.release();
    const second = tryOwnerLock(path);
    expect(second).toBeDefined();
    second?.release();
  });

  test('fails, rather than seeming taken, where no file can be', () => {
    expect(() => tryOwnerLock(join(folder, 'missing/owner.lock'))).toThrow('unable to open');
  });
});
