// The front page at the base path, for every caller.
import { Controller, Get, Inject, Module, type DynamicModule } from '@nestjs/common';
import { Answer } from '../answers/answer.js';
import { renderFrontPage, type FrontPage } from './front-page.js';

/** Injection token of the rendered page. */
const FRONT_PAGE = Symbol('FRONT_PAGE');

@Controller()
class FrontPageController {
  constructor(@Inject(FRONT_PAGE) private readonly page: Answer) {}

  @Get()
  show(): Answer {
    return this.page;
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
