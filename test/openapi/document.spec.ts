import { All, Controller, Get, Module, type Type } from '@nestjs/common';
import { expect, test } from '@jest/globals';
import { describeRoutes, REFUSES_OTHERS } from '../support/openapi/describe.js';
import { documentOf } from '../support/openapi/document.js';
import { plain } from '../support/openapi/answers.js';

@Controller('thing')
class ThingController {
  @Get(':id')
  get(): void {}

  @All(':id')
  other(): void {}
}

@Controller('forgotten')
class ForgottenController {
  @Get()
  get(): void {}
}

@Module({})
class Empty {}

describeRoutes(
  ThingController,
  {
    get: {
      tag: 'things',
      summary: 'A thing',
      answersHead: true,
      path: [{ name: 'id', description: 'Its id.', schema: { type: 'string' } }],
      answers: [plain(200, 'Found.'), plain(404, 'Unknown.')],
    },
    other: REFUSES_OTHERS,
  },
  'rest',
);

const APPLICATION = { title: 't', description: 'd', baseUrl: 'http://localhost', tags: {} };

function documentWith(...controllers: readonly Type[]) {
  return documentOf({ ...APPLICATION, module: { module: Empty }, controllers });
}

test('refuses a route without a description', async () => {
  await expect(documentWith(ThingController, ForgottenController)).rejects.toThrow(
    'get /forgotten: describe it in *.openapi.ts beside its controller',
  );
});

test('refuses a description of a handler that does not exist', () => {
  expect(() => describeRoutes(ThingController, { gone: REFUSES_OTHERS } as object)).toThrow(
    'no handler gone',
  );
});

test('has the methods that are answered, HEAD without a body', async () => {
  const { openapi, paths } = await documentWith(ThingController);
  expect(openapi).toBe('3.1.0');
  expect(Object.keys(paths)).toEqual(['/thing/{id}']);
  const { get, head, ...others } = paths['/thing/{id}'] ?? {};
  expect(others).toEqual({});
  expect(get).toMatchObject({ operationId: 'get_thing_id', 'x-tessera-module': 'rest' });
  expect(Object.keys(get?.responses ?? {})).toEqual(['200', '404']);
  expect(get?.responses['200']).toHaveProperty('content');
  expect(head?.operationId).toBe('head_thing_id');
  expect(head?.responses['200']).not.toHaveProperty('content');
});
