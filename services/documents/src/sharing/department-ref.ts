import type { departmentRef } from '@atrium/proto-events/people';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { z } from 'zod';

/** A department as answers show it; the directory goes on knowing those that were deleted. */
export const departmentRefOf = (directory: Directory, id: string): z.output<typeof departmentRef> => ({
  _id: id,
  name: directory.department(id)?.name ?? 'Deleted department',
});
