import type { departmentRef } from '@atrium/proto-events/people';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { z } from 'zod';

/** Includes deleted departments, which stay in the directory. */
export const departmentRefOf = (directory: Directory, id: string): z.output<typeof departmentRef> => ({
  _id: id,
  name: directory.department(id)?.name ?? 'Deleted department',
});
