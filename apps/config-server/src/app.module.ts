// Owns which features the config server has.
import { Module, type DynamicModule } from '@nestjs/common';
import { HealthModule } from '@tessera/server';

@Module({})
export class AppModule {
  static forRoot(): DynamicModule {
    return { module: AppModule, imports: [HealthModule.forRoot([])] };
  }
}
