// The entity of the table `user_account`.
import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';

/** Values by attribute name. Services receive them. */
export type AccountAttributes = Readonly<Record<string, readonly string[]>>;

@Entity({ name: 'user_account' })
export class UserAccount {
  /** In the form of {@link accountName}. Case-sensitive. */
  @PrimaryColumn({ type: 'text' })
  readonly name!: string;

  /** The transaction that last wrote the row, also one of another program. */
  @Column({ name: 'xmin', type: 'text', insert: false, update: false })
  readonly revision!: string;

  /** Argon2id in PHC string format. An imported hash may be of another kind until the next login. */
  @Column({ name: 'password_hash', type: 'text' })
  readonly passwordHash!: string;

  @Column({ type: 'jsonb' })
  readonly attributes!: AccountAttributes;

  @Column({ type: 'boolean' })
  readonly disabled!: boolean;

  /** The time from which logins are refused; null for never. */
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  readonly expiresAt!: Date | null;

  /** Whether the account was expired when it was read, by the clock of the database. */
  @VirtualColumn({
    type: 'boolean',
    query: (alias) => `coalesce(${alias}.expires_at <= now(), false)`,
  })
  readonly expired!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', insert: false })
  readonly createdAt!: Date;

  /** The last change by an administrator. A rehash at login does not count. */
  @Column({ name: 'updated_at', type: 'timestamptz', insert: false })
  readonly updatedAt!: Date;

  @Column({ name: 'password_changed_at', type: 'timestamptz', insert: false })
  readonly passwordChangedAt!: Date;
}
