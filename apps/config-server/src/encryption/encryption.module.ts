// Owns the wiring of the endpoints of encryption.
import { Module, type DynamicModule } from '@nestjs/common';
import { CALLERS, type Callers } from '../callers/callers.js';
import {
  ENCRYPTION_IN_FORCE,
  EncryptionController,
  type EncryptionInForce,
} from './encryption.controller.js';

export interface EncryptionModuleOptions {
  readonly callers: Callers;
  readonly inForce: () => EncryptionInForce;
}

@Module({})
export class EncryptionModule {
  static forRoot({ callers, inForce }: EncryptionModuleOptions): DynamicModule {
    return {
      module: EncryptionModule,
      providers: [
        { provide: CALLERS, useValue: callers },
        { provide: ENCRYPTION_IN_FORCE, useValue: inForce },
      ],
      controllers: [EncryptionController],
    };
  }
}
