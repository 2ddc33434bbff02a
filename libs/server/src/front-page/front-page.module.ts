// Wires the front page of an application.
import { Module, type DynamicModule } from '@nestjs/common';
import { FRONT_PAGE, FrontPageController } from './front-page.controller.js';
import { renderFrontPage, type FrontPage } from './front-page.js';

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
