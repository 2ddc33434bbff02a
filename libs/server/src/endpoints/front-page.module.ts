// The front page at the base path, for every caller.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Inject, Module, Req, Res, type DynamicModule } from '@nestjs/common';
import { send, type Answer } from '../answer.js';
import { RequestError } from '../errors.js';
import { renderFrontPage, type FrontPage } from './front-page.js';

/** Injection token of the rendered page. */
const FRONT_PAGE = Symbol('FRONT_PAGE');

@Controller()
class FrontPageController {
  constructor(@Inject(FRONT_PAGE) private readonly page: Answer) {}

  @All()
  show(@Req() { method }: IncomingMessage, @Res() response: ServerResponse): void {
    if (method !== 'GET' && method !== 'HEAD') {
      throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, HEAD');
    }
    send(response, this.page);
  }
}

@Module({})
export class FrontPageModule {
  static forRoot(page: FrontPage): DynamicModule {
    return {
      module: FrontPageModule,
      controllers: [FrontPageController],
      providers: [{ provide: FRONT_PAGE, useValue: renderFrontPage(page) }],
    };
  }
}
