// One user who can log in, as the table `user_account` holds it.
import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';

/** Attribute names, each with its values; what a login hands on to services. */
export type AccountAttributes = Readonly<Record<string, readonly string[]>>;

@Entity({ name: 'user_account' })
export class UserAccount {
  /** As {@link accountName} writes it; compared character by character, so `Alice` is not `alice`. */
  @PrimaryColumn({ type: 'text' })
  readonly name!: string;

  /** Argon2id in PHC string format; where it was imported, any other until the next login. */
  @Column({ name: 'password_hash', type: 'text' })
  readonly passwordHash!: string;

  @Column({ type: 'jsonb' })
  readonly attributes!: AccountAttributes;

  @Column({ type: 'boolean' })
  readonly disabled!: boolean;

  /** From this moment on the account cannot log in; null: it never expires. */
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  readonly expiresAt!: Date | null;

  /** Whether it had expired when it was read, by the clock of the database, which all nodes share. */
  @VirtualColumn({
    type: 'boolean',
    query: (alias) => `coalesce(${alias}.expires_at <= now(), false)`,
  })
  readonly expired!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', insert: false })
  readonly createdAt!: Date;

  /** When an administrator last changed anything; a hash renewed at a login is no such change. */
  @Column({ name: 'updated_at', type: 'timestamptz', insert: false })
  readonly updatedAt!: Date;

  @Column({ name: 'password_changed_at', type: 'timestamptz', insert: false })
  readonly passwordChangedAt!: Date;
}
