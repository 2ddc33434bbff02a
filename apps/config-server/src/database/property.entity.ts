import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of the table `properties`. */
@Entity({ name: 'properties' })
export class PropertyEntity {
  @PrimaryColumn({ type: 'text' })
  readonly application!: string;

  /** Empty for every profile. */
  @PrimaryColumn({ type: 'text' })
  readonly profile!: string;

  @PrimaryColumn({ type: 'text' })
  readonly label!: string;

  @PrimaryColumn({ type: 'text' })
  readonly key!: string;

  @Column({ type: 'text' })
  readonly value!: string;
}
