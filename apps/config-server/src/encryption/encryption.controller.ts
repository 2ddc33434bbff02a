import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Get, Inject, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { selectorsOfBytes, type KeyRing } from '@tessera/crypto';
import { RateLimit, RequestError, send, text, TEXT } from '@tessera/server';
import { CALLERS, type Callers, type Permission, type Scope } from '../callers/callers.js';
import { applicationNames, profileNames } from '../environment/path-names.js';
import { ReloadableAnswers } from '../environment/reloadable-answers.js';
import type { ConfigServerSettings } from '../settings.js';
import { configServerConfig } from '../settings/namespaces.js';
import { EncryptionError } from './encryption-error.js';
import { EncryptionErrorsFilter } from './encryption-errors.filter.js';
import { cipherIn } from './submitted-cipher.js';
import { readSubmittedText } from './submitted-text.js';

/** Names in the path, decoded once. */
interface Target {
  readonly app?: string;
  readonly profiles?: string;
}

const STATUS_OK = '{"status":"OK"}';

/** @see docs/config-server.md, "Encrypt and decrypt" */
@Controller()
@UseFilters(EncryptionErrorsFilter)
export class EncryptionController {
  constructor(
    @Inject(CALLERS) private readonly callers: Callers,
    @Inject(ReloadableAnswers) private readonly current: Pick<ReloadableAnswers, 'keys'>,
    @Inject(configServerConfig.KEY)
    private readonly settings: Pick<ConfigServerSettings, 'decrypts'>,
  ) {}

  @Get('encrypt/status')
  async status(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    await this.admit(request, 'encrypt', {});
    send(response, { status: 200, type: 'application/json', body: STATUS_OK });
  }

  @Post(['encrypt', 'encrypt/:app/:profiles'])
  @RateLimit('encrypt')
  async encrypt(
    @Param() target: Target,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const keys = await this.admit(request, 'encrypt', target);
    const submitted = await readSubmittedText(request);
    const { alias, rest } = selectorsOfBytes(submitted.text);
    const cipher = await keys.encrypt(rest, alias);
    send(response, text(200, alias === undefined ? cipher : `{key:${alias}}${cipher}`));
  }

  @Post(['decrypt', 'decrypt/:app/:profiles'])
  @RateLimit('decrypt')
  async decrypt(
    @Param() target: Target,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const keys = await this.admit(request, 'decrypt', target);
    if (!this.settings.decrypts) {
      throw new EncryptionError('DECRYPTION_OFF', '/decrypt is switched off');
    }
    const { text: submitted, wasForm } = await readSubmittedText(request);
    // A ciphertext is ASCII; latin1 turns no other byte into ASCII.
    const plain = await keys.decrypt(cipherIn(submitted.toString('latin1'), wasForm));
    send(response, { status: 200, type: TEXT, body: plain });
  }

  @Get(['key', 'key/:app/:profiles'])
  async publicKey(
    @Param() target: Target,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const keys = await this.admit(request, 'encrypt', target);
    const key = keys.publicKey();
    if (key === undefined) throw new EncryptionError('NO_PUBLIC_KEY', 'No public key available');
    send(response, text(200, key));
  }

  @All(['encrypt', 'encrypt/:app/:profiles', 'decrypt', 'decrypt/:app/:profiles'])
  otherThanPost(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'POST');
  }

  @All(['encrypt/status', 'key', 'key/:app/:profiles'])
  otherThanGet(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET');
  }

  /**
   * Admits the caller first: one who may not call does not learn whether there is a key.
   * @returns the keys that were current when the request arrived
   */
  private async admit(
    request: IncomingMessage,
    permission: Permission,
    target: Target,
  ): Promise<KeyRing> {
    const { keys } = this.current;
    await this.callers.admit(request, permission, scopeOf(target));
    if (keys.isEmpty) {
      throw new EncryptionError('NO_KEY', 'No key was installed for encryption service');
    }
    return keys;
  }
}

/** Empty for a path without names. @throws EnvironmentError PATH_MALFORMED */
function scopeOf({ app, profiles }: Target): Scope {
  return {
    applications: app === undefined ? [] : applicationNames(app),
    profiles: profiles === undefined ? [] : profileNames(profiles),
  };
}
