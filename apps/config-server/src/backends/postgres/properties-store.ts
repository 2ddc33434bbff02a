import { Any, type DataSource } from 'typeorm';
import { PropertyEntity } from '../../database/property.entity.js';

export interface PropertiesQuery {
  readonly label: string;
  readonly applications: readonly string[];
  /** `''` for the properties of every profile. */
  readonly profiles: readonly string[];
}

export type PropertyRow = Pick<PropertyEntity, 'application' | 'profile' | 'key' | 'value'>;

export class PropertiesStore {
  /** @param dataSource waits for the connection */
  constructor(private readonly dataSource: () => Promise<DataSource>) {}

  /** The rows of any of the applications in any of the profiles, ordered by the code points of their keys. */
  async find({ label, applications, profiles }: PropertiesQuery): Promise<readonly PropertyRow[]> {
    const dataSource = await this.dataSource();
    return dataSource.getRepository(PropertyEntity).find({
      where: { label, application: Any(applications), profile: Any(profiles) },
      order: { application: 'ASC', profile: 'ASC', key: 'ASC' },
    });
  }
}
