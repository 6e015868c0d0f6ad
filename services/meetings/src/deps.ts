import type { Directory } from '@atrium/service-kit/directory/directory';
import type { ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import type { MeetingStats } from './meetings/list-repository.ts';
import type { SharedFigures } from './meetings/shared-figures.ts';
import type { SeriesFiller } from './series/series-filler.ts';

/** What the use cases of this service work with. */
export type Deps = {
  db: Db;
  directory: Directory;
  /** How old what is known of people may be where it alone says who is let in, in milliseconds. */
  directoryMaxAgeMs: number;
  projects: ProjectDirectory;
  allowPast: boolean;
  seriesFiller: SeriesFiller;
  /** Of administrators, who all see the same. */
  figures: { counts: SharedFigures<number>; stats: SharedFigures<MeetingStats> };
};
