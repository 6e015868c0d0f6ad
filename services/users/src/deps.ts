import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Db } from '@atrium/service-kit/postgres/postgres';

/** What the use cases of this service work with. */
export type Deps = { db: Db; directory: Directory };
