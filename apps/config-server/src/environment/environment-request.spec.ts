// What path and query of a request come to.
import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { readEnvironmentRequest } from './environment-request.js';

function read(url: string): ReturnType<typeof readEnvironmentRequest> {
  return readEnvironmentRequest({ url } as IncomingMessage);
}

describe('a request', () => {
  test.each([
    ['/orders/prod', 'environment', true],
    ['/orders/prod?', 'environment', true],
    ['/orders-prod.yml?resolvePlaceholders=false', 'flattened', false],
    ['/orders-prod.yml?resolvePlaceholders=true', 'flattened', true],
    ['/orders-prod.yml?resolvePlaceholders=', 'flattened', true],
    ['/orders/prod/main/x.txt', 'file', true],
    ['/orders/prod/x.txt', 'environment', true],
    ['/orders/prod/x.txt?useDefaultLabel', 'file', true],
  ])('for %s asks for one %s; placeholders are resolved: %s', (url, form, resolvesPlaceholders) => {
    expect(read(url)).toMatchObject({ asked: { form }, resolvesPlaceholders });
  });

  test.each([
    ['/orders/%zz', 'PATH_MALFORMED'],
    ['/orders/prod?resolvePlaceholders=%zz', 'MALFORMED_REQUEST'],
    ['/orders/../x', 'PATH_MALFORMED'],
    ['/encrypt/x', 'PATH_UNKNOWN'],
  ])('for %s is refused each time: %s', (url, code) => {
    for (const _time of [1, 2]) expect(() => read(url)).toThrow(expect.objectContaining({ code }));
  });

  test('is read once as long as it is asked again', () => {
    const first = read('/orders/dev');
    expect(read('/orders/dev')).toBe(first);
    for (let number = 0; number < 3_000; number += 1) read(`/made-up-${number}/dev`);
    expect(read('/orders/dev')).not.toBe(first);
    expect(read('/orders/dev')).toEqual(first);
  });
});
