import { describe, expect, test } from '@jest/globals';
import { regularExpressionForGlob } from './glob.js';

describe('regularExpressionForGlob', () => {
  test.each([
    ['https://x.org/*', 'https://x\\.org/.*'],
    ['^https://x\\.org/*', '^https://x\\.org/.*'],
    ['https://x.org/**', 'https://x\\.org/.*'],
    ['https://x.org/*/a.html', 'https://x\\.org/.*/a\\.html'],
    ['https://x.org:8443/app/*', 'https://x\\.org:8443/app/.*'],
    ['https://*.x.org/', 'https://[\\w.-]+\\.x\\.org/'],
    ['https://*.x.org/*', 'https://[\\w.-]+\\.x\\.org/.*'],
    ['https://x.org/*/.*', 'https://x\\.org/.*/.*'],
    ['/*', '/.*'],
  ])('%s means %s', (glob, expression) => {
    expect(regularExpressionForGlob(glob)).toBe(expression);
  });

  test.each([
    [''],
    ['https://x.org/'],
    ['^https://x\\.org/.*'],
    ['https://x.org/?'],
    ['https://[^/*]+\\.x\\.org/'],
    ['https://x\\.org/\\*'],
    ['https://x.org/{0,}'],
    ['https://x.org/a*'],
  ])('%j is no glob', (pattern) => {
    expect(regularExpressionForGlob(pattern)).toBeUndefined();
  });
});
