import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Db } from '@atrium/service-kit/postgres/postgres';

export type Deps = { db: Db; directory: Directory };
