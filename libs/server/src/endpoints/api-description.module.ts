// `GET /openapi.json`: the description of an application's routes.
import { Controller, Get, Inject, Module, type DynamicModule } from '@nestjs/common';
import { json, type Answer } from '../answers/answer.js';
import { managementPath } from '../requests/management.js';
import type { ApiDescription } from './api-description.js';

type ReadDescription = () => Promise<ApiDescription>;

const READ = Symbol('ReadDescription');

@Controller(managementPath('openapi.json'))
class ApiDescriptionController {
  constructor(@Inject(READ) private readonly read: ReadDescription) {}

  @Get()
  async show(): Promise<Answer> {
    return json(200, await this.read());
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
