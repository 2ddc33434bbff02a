// The routes /api/v1/services/{id}/secrets of the operator's API: the secrets of a client of OpenID Connect.
import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { type Answer, managementPath } from '@tessera/server';
import { type ClientSecret, ClientSecrets, serviceNotFound, ServiceStore } from '@tessera/services';
import type { Operator } from '../access/operator.js';
import { AuditedChanges } from '../audited-changes.js';
import { createdAnswer } from '../entity-tag.js';
import { Caller, OperatorsOnly } from '../operator.guard.js';
import { ProblemError } from '../problem.js';

@Controller(managementPath('api/v1/services/:id/secrets'))
@OperatorsOnly()
export class ClientSecretsApiController {
  constructor(
    private readonly services: ServiceStore,
    private readonly secrets: ClientSecrets,
    private readonly changes: AuditedChanges,
  ) {}

  @Get()
  async list(@Param('id') id: string): Promise<{ readonly items: readonly ClientSecret[] }> {
    if ((await this.services.find(id)) === undefined) throw serviceNotFound(id);
    return { items: await this.secrets.list(id) };
  }

  /** The answer is the only one that has the secret. */
  @Post()
  async add(@Param('id') id: string, @Caller() caller: Operator): Promise<Answer> {
    const added = await this.changes.run(caller, async (manager, record) => {
      const secret = await new ClientSecrets(manager).add(id);
      await record({ action: 'ADD_CLIENT_SECRET', subject: id, details: { secret: secret.id } });
      return secret;
    });
    return createdAnswer(added, `/api/v1/services/${id}/secrets/${added.id}`);
  }

  @Delete(':secret')
  @HttpCode(204)
  async remove(
    @Param('id') id: string,
    @Param('secret') secret: string,
    @Caller() caller: Operator,
  ): Promise<void> {
    await this.changes.run(caller, async (manager, record) => {
      if (!(await new ClientSecrets(manager).remove(id, secret))) {
        throw new ProblemError('CLIENT_SECRET_NOT_FOUND', 'the service has no such secret');
      }
      await record({ action: 'REMOVE_CLIENT_SECRET', subject: id, details: { secret } });
    });
  }
}
