// Stores the secrets of OpenID Connect clients in the table `client_secret`, as hashes. No other code uses that table.
import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { equalsInConstantTime, type PasswordHashing, randomId, sha256 } from '@tessera/crypto';
import { durableTransaction, toDatabaseError } from '@tessera/database';
import { hasSecrets, type NewClient } from '../client-definition.js';
import { InvalidServiceError, serviceNotFound } from '../service-error.js';
import { isRowId } from './row-id.js';

/** 256 bits. */
const SECRET_LENGTH = 43;
/** Of random secrets. Others are hashes of passwords. */
const DIGEST = 'sha256:';
/** Each is compared at a request. */
const MAX_SECRETS = 10;

/** A secret without its hash. */
export interface ClientSecret {
  /** A decimal number, assigned by the database. */
  readonly id: string;
  readonly createdAt: Date;
  /** The time from which it matches no more; null for never. */
  readonly expiresAt: Date | null;
}

export interface NewClientSecret extends ClientSecret {
  /** Shown once: only its hash is stored. */
  readonly secret: string;
}

export interface AddSecretOptions {
  /** The seconds after which all other secrets end; absent where they stay. */
  readonly othersEndAfter?: number;
}

const COLUMNS = 'id, created_at as "createdAt", expires_at as "expiresAt"';
const IS_VALID = 'coalesce(expires_at > now(), true)';

/**
 * The secrets of clients in PostgreSQL. Each method runs in a transaction of its own, or in that of the entity manager.
 *
 * @throws ServiceError SERVICE_NOT_FOUND
 * @throws DatabaseError DATABASE_UNAVAILABLE
 */
@Injectable()
export class ClientSecrets {
  constructor(@InjectEntityManager() private readonly manager: EntityManager) {}

  /**
   * Adds a random secret of 43 letters and digits.
   *
   * @param serviceId the id of the client's service
   * @throws InvalidServiceError for a service that is no client with secrets, or has ten
   */
  async add(
    serviceId: string,
    { othersEndAfter }: AddSecretOptions = {},
  ): Promise<NewClientSecret> {
    const secret = randomId(SECRET_LENGTH);
    const added = await this.inTransaction(async (manager) => {
      await lockClient(serviceId, manager);
      if (othersEndAfter !== undefined) {
        await manager.query(
          `update client_secret set expires_at = least(expires_at, now() + $2 * interval '1 second')
           where service_id = $1`,
          [serviceId, othersEndAfter],
        );
      }
      return insert(serviceId, DIGEST + sha256(secret), manager);
    });
    return { ...added, secret };
  }

  /** For a service that is no client with secrets any more. A later client of the service must not have them. */
  async removeAll(serviceId: string): Promise<void> {
    await this.query('delete from client_secret where service_id = $1', [serviceId]);
  }

  /**
   * Replaces all secrets with those of another system.
   *
   * @param hashes as `PasswordHashing.hash` makes them
   */
  async replaceAll(serviceId: string, hashes: readonly string[]): Promise<void> {
    await this.inTransaction(async (manager) => {
      await lockClient(serviceId, manager);
      await new ClientSecrets(manager).removeAll(serviceId);
      for (const hash of hashes) await insert(serviceId, hash, manager);
    });
  }

  /** Gives clients secrets of another system, by client id. A client that has a secret keeps its own. */
  async adopt(
    given: ReadonlyMap<string, readonly string[]>,
    hashing: Pick<PasswordHashing, 'hash'>,
  ): Promise<void> {
    const without = await this.query<readonly { readonly id: string; readonly clientId: string }[]>(
      `select id, client_id as "clientId" from registered_service where client_id = any($1)
       and not exists (select from client_secret where service_id = registered_service.id and ${IS_VALID})`,
      [[...given.keys()]],
    );
    for (const { id, clientId } of without) {
      const secrets = given.get(clientId) ?? [];
      await this.replaceAll(id, await Promise.all(secrets.map((each) => hashing.hash(each))));
    }
  }

  /** The secrets that have not ended, the oldest first. @param serviceId any text */
  async list(serviceId: string): Promise<readonly ClientSecret[]> {
    if (!isRowId(serviceId)) return [];
    return this.query<readonly ClientSecret[]>(
      `select ${COLUMNS} from client_secret where service_id = $1 and ${IS_VALID} order by id`,
      [serviceId],
    );
  }

  /** @returns whether the client had this secret. Both ids may be any text */
  async remove(serviceId: string, id: string): Promise<boolean> {
    if (!isRowId(serviceId) || !isRowId(id)) return false;
    const [, removed] = await this.query<readonly [unknown, number]>(
      'delete from client_secret where service_id = $1 and id = $2',
      [serviceId, id],
    );
    return removed > 0;
  }

  /**
   * Whether this is a secret of the client that has not ended. One query. The time does not depend on how much of a random
   * secret is right.
   *
   * @param serviceId the id of a stored service
   * @param isImported whether the secret has one of these hashes, of which there is at least one. It is not called for a random
   *   secret that is right
   */
  async matches(
    serviceId: string,
    secret: string,
    isImported: (hashes: readonly string[]) => Promise<boolean>,
  ): Promise<boolean> {
    const rows = await this.query<readonly { readonly hash: string }[]>(
      `select hash from client_secret where service_id = $1 and ${IS_VALID}`,
      [serviceId],
    );
    const digest = DIGEST + sha256(secret);
    if (rows.some(({ hash }) => equalsInConstantTime(hash, digest))) return true;
    const imported = rows.map(({ hash }) => hash).filter((hash) => !hash.startsWith(DIGEST));
    return imported.length > 0 && isImported(imported);
  }

  private async query<T>(sql: string, parameters: readonly unknown[]): Promise<T> {
    try {
      return await this.manager.query<T>(sql, [...parameters]);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  private async inTransaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await durableTransaction(this.manager, work);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }
}

async function insert(
  serviceId: string,
  hash: string,
  manager: EntityManager,
): Promise<ClientSecret> {
  await manager.query(`delete from client_secret where service_id = $1 and not ${IS_VALID}`, [
    serviceId,
  ]);
  const [{ count } = { count: 0 }] = await manager.query<readonly { readonly count: number }[]>(
    'select count(*)::int as count from client_secret where service_id = $1',
    [serviceId],
  );
  if (count >= MAX_SECRETS) {
    const reason = `has ${MAX_SECRETS} secrets already: remove one`;
    throw new InvalidServiceError([{ field: 'client', reason }]);
  }
  const [added] = await manager.query<readonly ClientSecret[]>(
    `insert into client_secret (service_id, hash) values ($1, $2) returning ${COLUMNS}`,
    [serviceId, hash],
  );
  return added as ClientSecret;
}

/** Until the end of the transaction. @throws InvalidServiceError for a service that is no client with secrets */
async function lockClient(serviceId: string, manager: EntityManager): Promise<void> {
  if (!isRowId(serviceId)) throw serviceNotFound(serviceId);
  const [row] = await manager.query<readonly { readonly client: NewClient | null }[]>(
    'select client from registered_service where id = $1 for update',
    [serviceId],
  );
  if (row === undefined) throw serviceNotFound(serviceId);
  if (hasSecrets(row.client)) return;
  const method = row.client?.tokenEndpointAuthMethod;
  const reason =
    method === undefined ? 'must be given for a secret' : `has no secret: its method is ${method}`;
  throw new InvalidServiceError([{ field: 'client', reason }]);
}
