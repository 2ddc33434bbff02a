// One row of the table `registered_service`, as TypeORM sees it.
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity({ name: 'registered_service' })
export class RegisteredServiceEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  readonly id!: string;

  /** The transaction that wrote the row last, as PostgreSQL notes it: other hands' writes too. */
  @Column({ name: 'xmin', type: 'text', insert: false, update: false })
  readonly revision!: string;

  /** The id in the file it was imported from; null for a service that came another way. */
  @Column({ name: 'import_id', type: 'bigint', nullable: true })
  readonly importId!: string | null;

  @Column({ name: 'service_id', type: 'text' })
  readonly serviceId!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ type: 'text' })
  readonly description!: string;

  @Column({ name: 'evaluation_order', type: 'integer' })
  readonly evaluationOrder!: number;

  @Column({ type: 'boolean' })
  readonly enabled!: boolean;

  @Column({ name: 'sso_enabled', type: 'boolean' })
  readonly ssoEnabled!: boolean;

  // What other hands than ours have written may have any shape: it is checked when it is read.
  @Column({ name: 'required_attributes', type: 'jsonb' })
  readonly requiredAttributes!: object;

  @Column({ name: 'attribute_release', type: 'jsonb' })
  readonly attributeRelease!: object;

  @Column({ name: 'username_attribute', type: 'jsonb' })
  readonly usernameAttribute!: object;

  @Column({ name: 'proxy_policy', type: 'jsonb' })
  readonly proxyPolicy!: object;

  @Column({ name: 'logout_type', type: 'text' })
  readonly logoutType!: string;

  @Column({ name: 'logout_url', type: 'text', nullable: true })
  readonly logoutUrl!: string | null;

  @Column({ type: 'jsonb' })
  readonly properties!: object;

  /** Made by the database for a new row, and never changed. */
  @Column({ name: 'pseudonym_salt', type: 'text', insert: false, update: false })
  readonly pseudonymSalt!: string;

  @Column({ name: 'created_at', type: 'timestamptz', insert: false, update: false })
  readonly createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', insert: false })
  readonly updatedAt!: Date;
}
