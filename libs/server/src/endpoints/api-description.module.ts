// `GET /openapi.json`: the description of an application's routes.
import type { ServerResponse } from 'node:http';
import { All, Controller, Get, Inject, Module, Res, type DynamicModule } from '@nestjs/common';
import { send } from '../answer.js';
import type { ApiDescription } from '../api-description.js';
import { RequestError } from '../errors.js';

type ReadDescription = () => Promise<ApiDescription>;

const READ = Symbol('ReadDescription');

@Controller('openapi.json')
class ApiDescriptionController {
  constructor(@Inject(READ) private readonly read: ReadDescription) {}

  @Get()
  async show(@Res() response: ServerResponse): Promise<void> {
    const body = JSON.stringify(await this.read());
    send(response, { status: 200, type: 'application/json', body });
  }

  @All()
  refuseOtherMethods(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, HEAD');
  }
}

@Module({})
export class ApiDescriptionModule {
  /** @param read called for each request */
  static forRoot(read: ReadDescription): DynamicModule {
    return {
      module: ApiDescriptionModule,
      controllers: [ApiDescriptionController],
      providers: [{ provide: READ, useValue: read }],
    };
  }
}
