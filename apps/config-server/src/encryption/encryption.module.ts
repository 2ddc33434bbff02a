// Owns the wiring of the endpoints of encryption.
import { Module, type DynamicModule } from '@nestjs/common';
import { KeyRing } from '@tessera/crypto';
import { CALLERS, type Callers } from '../callers/callers.js';
import { DECRYPTS, EncryptionController } from './encryption.controller.js';

export interface EncryptionModuleOptions {
  readonly keys: KeyRing;
  readonly callers: Callers;
  /** Whether there is a /decrypt. */
  readonly decrypts: boolean;
}

@Module({})
export class EncryptionModule {
  static forRoot({ keys, callers, decrypts }: EncryptionModuleOptions): DynamicModule {
    return {
      module: EncryptionModule,
      providers: [
        { provide: KeyRing, useValue: keys },
        { provide: CALLERS, useValue: callers },
        { provide: DECRYPTS, useValue: decrypts },
      ],
      controllers: [EncryptionController],
    };
  }
}
