import type { Directory } from '@atrium/service-kit/directory/directory';
import type { ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import type { Db } from '@atrium/service-kit/postgres/postgres';

export type Deps = { db: Db; directory: Directory; projects: Pick<ProjectDirectory, 'projects'> };
