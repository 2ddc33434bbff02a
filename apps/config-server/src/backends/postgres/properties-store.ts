import { Any, type Repository } from 'typeorm';
import type { PropertyEntity } from './property.entity.js';

export interface PropertiesQuery {
  readonly label: string;
  readonly applications: readonly string[];
  /** `''` for the properties of every profile. */
  readonly profiles: readonly string[];
}

export type PropertyRow = Pick<PropertyEntity, 'application' | 'profile' | 'key' | 'value'>;

export class PropertiesStore {
  constructor(private readonly properties: Repository<PropertyEntity>) {}

  /** The rows of any of the applications in any of the profiles, ordered by the code points of their keys. */
  find({ label, applications, profiles }: PropertiesQuery): Promise<readonly PropertyRow[]> {
    return this.properties.find({
      where: { label, application: Any(applications), profile: Any(profiles) },
      order: { application: 'ASC', profile: 'ASC', key: 'ASC' },
    });
  }
}
