import { z } from 'zod';
import { id } from './fields.ts';

/**
 * What the projects service puts into the bucket of projects for each project, under the key `project.<id>`: enough for every
 * service to know that a project is there and who its people are, without a call (architecture, "Directory").
 */
export const directoryProject = z.object({
  _id: id,
  name: z.string(),
  managerId: id,
  /** The team without the manager, who is one of the project's people all the same. */
  memberIds: z.array(id),
  /** A deleted project keeps its value, so that nobody takes an older one for the present. */
  deleted: z.boolean(),
  version: z.int(),
});
export type DirectoryProject = z.infer<typeof directoryProject>;
