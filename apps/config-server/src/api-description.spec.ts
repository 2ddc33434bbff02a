import { expect, test } from '@jest/globals';
import { apiDescription } from './api-description.js';

test('has the routes, and the address of the server', async () => {
  const { openapi, servers, paths } = await apiDescription('https://config.example.org');
  expect(openapi).toBe('3.1.0');
  expect(servers).toEqual([{ url: 'https://config.example.org' }]);
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/encrypt', '/monitor', '/{application}/{profiles}']),
  );
});
