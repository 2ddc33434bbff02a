import { expect, test } from '@jest/globals';
import { apiDescription } from './api-description.js';
import type { ModuleName } from './module-names.js';

const baseUrl = 'https://sso.example.org/cas';

test.each<[path: string, ModuleName]>([
  ['/login', 'login'],
  ['/assets/theme.css', 'login'],
  ['/v1/tickets', 'rest'],
  ['/v1/tickets/{ticket}', 'rest'],
  ['/v1/services/add/{tgt}', 'rest-services'],
])('has %s with module %s only', async (path, module) => {
  const others = (['login', 'rest', 'rest-services'] as const).filter((each) => each !== module);
  const { paths: without } = await apiDescription({ baseUrl, moduleNames: others });
  expect(Object.keys(without)).not.toContain(path);
  const { paths } = await apiDescription({ baseUrl, moduleNames: [module] });
  expect(Object.keys(paths)).toContain(path);
});

test('has the routes of every deployment, and its base URL', async () => {
  const { openapi, servers, paths } = await apiDescription({ baseUrl, moduleNames: [] });
  expect(openapi).toBe('3.1.0');
  expect(servers).toEqual([{ url: baseUrl }]);
  expect(Object.keys(paths).toSorted()).toEqual([
    '/',
    '/actuator/refresh',
    '/health/live',
    '/health/ready',
    '/p3/proxyValidate',
    '/p3/serviceValidate',
    '/proxy',
    '/proxyValidate',
    '/samlValidate',
    '/serviceValidate',
    '/validate',
  ]);
});
