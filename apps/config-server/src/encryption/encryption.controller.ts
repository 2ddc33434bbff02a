import type { IncomingMessage } from 'node:http';
import { Controller, Get, Inject, Param, Post, Req, UseFilters } from '@nestjs/common';
import { type KeyRing, selectorsOfBytes } from '@tessera/crypto';
import { Answer, json, RateLimit, text, TEXT } from '@tessera/server';
import { ConfigAudit } from '../audit/config-audit.js';
import { outcomeOf } from '../audit/request-outcome.js';
import { CallerError } from '../callers/caller-error.js';
import { CALLERS, type Callers, type Scope } from '../callers/callers.js';
import { applicationNames, profileNames } from '../environment/path-names.js';
import { ConfigErrorsFilter } from '../errors/config-errors.filter.js';
import { KeyedAnswers } from '../environment/keyed-answers.js';
import type { Permission } from '../settings/client.js';
import type { ConfigServerSettings } from '../settings/config-server-settings.js';
import { configServerConfig } from '../settings/namespaces.js';
import { EncryptionError } from '../errors/encryption-error.js';
import { cipherIn } from './submitted-cipher.js';
import { readSubmittedText } from './submitted-text.js';

/** Names in the path, decoded once. */
interface Target {
  readonly app?: string;
  readonly profiles?: string;
}

/** What the audit trail says about a request, as far as it has come. */
interface Attempt {
  subject?: string | undefined;
  principal?: string | undefined;
  /** Of the key. */
  alias?: string | undefined;
}

/** @see docs/config-server.md, "Encrypt and decrypt" */
@Controller()
@UseFilters(ConfigErrorsFilter)
export class EncryptionController {
  constructor(
    @Inject(CALLERS) private readonly callers: Callers,
    @Inject(KeyedAnswers) private readonly current: Pick<KeyedAnswers, 'keys'>,
    @Inject(configServerConfig.KEY)
    private readonly settings: Pick<ConfigServerSettings, 'decrypts'>,
    private readonly audit: ConfigAudit,
  ) {}

  @Get('encrypt/status')
  async status(@Req() request: IncomingMessage): Promise<Answer> {
    await this.admit(request, 'encrypt', {});
    return json(200, { status: 'OK' });
  }

  @Post(['encrypt', 'encrypt/:app/:profiles'])
  @RateLimit('encrypt')
  encrypt(@Param() target: Target, @Req() request: IncomingMessage): Promise<Answer> {
    return this.recorded('ENCRYPT', async (attempt) => {
      const keys = await this.admit(request, 'encrypt', target, attempt);
      const submitted = await readSubmittedText(request);
      const { alias, rest } = selectorsOfBytes(submitted.text);
      const cipher = await keys.encrypt(rest, alias);
      attempt.alias = alias ?? keys.aliases[0];
      return text(200, alias === undefined ? cipher : `{key:${alias}}${cipher}`);
    });
  }

  @Post(['decrypt', 'decrypt/:app/:profiles'])
  @RateLimit('decrypt')
  decrypt(@Param() target: Target, @Req() request: IncomingMessage): Promise<Answer> {
    return this.recorded('DECRYPT', async (attempt) => {
      const keys = await this.admit(request, 'decrypt', target, attempt);
      if (!this.settings.decrypts) {
        throw new EncryptionError('DECRYPTION_OFF', '/decrypt is switched off');
      }
      const { text: submitted, wasForm } = await readSubmittedText(request);
      // A ciphertext is ASCII; latin1 turns no other byte into ASCII.
      const cipher = cipherIn(submitted.toString('latin1'), wasForm);
      const plain = await keys.decrypt(cipher);
      attempt.alias = keys.aliasOf(cipher);
      return new Answer(200, TEXT, plain);
    });
  }

  @Get(['key', 'key/:app/:profiles'])
  async publicKey(@Param() target: Target, @Req() request: IncomingMessage): Promise<Answer> {
    const keys = await this.admit(request, 'encrypt', target);
    const key = keys.publicKey();
    if (key === undefined) throw new EncryptionError('NO_PUBLIC_KEY', 'No public key available');
    return text(200, key);
  }

  /** Records the outcome. A text or a ciphertext is never part of an event, nor is the alias of no key. */
  private async recorded(
    action: 'ENCRYPT' | 'DECRYPT',
    work: (attempt: Attempt) => Promise<Answer>,
  ): Promise<Answer> {
    const attempt: Attempt = {};
    try {
      const answer = await work(attempt);
      const { alias, ...known } = attempt;
      const details = alias === undefined ? undefined : { alias };
      this.audit.record({ action, outcome: 'success', ...known, details });
      return answer;
    } catch (error) {
      const { subject, principal = error instanceof CallerError ? error.client : undefined } =
        attempt;
      this.audit.record({ action, ...outcomeOf(error), principal, subject });
      throw error;
    }
  }

  /**
   * Admits the caller first: one who may not call does not learn whether there is a key.
   * @returns the keys that were current when the request arrived
   */
  private async admit(
    request: IncomingMessage,
    permission: Permission,
    target: Target,
    attempt: Attempt = {},
  ): Promise<KeyRing> {
    const { keys } = this.current;
    const scope = scopeOf(target);
    attempt.subject = subjectOf(scope);
    const { name } = await this.callers.admit(request, permission, scope);
    attempt.principal = name;
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

function subjectOf({ applications, profiles }: Scope): string | undefined {
  return applications.length === 0 ? undefined : `${applications.join(',')}/${profiles.join(',')}`;
}
