import { z } from 'zod';
import { id } from './fields.ts';

/**
 * The entry with the key `project.<id>`: enough for every service to know, without a request, that a project exists and
 * who its people are.
 */
export const directoryProject = z.object({
  _id: id,
  name: z.string(),
  managerId: id,
  /** Team members without the manager, who is one of the project's people as well. */
  memberIds: z.array(id),
  /** A deleted project keeps its entry, so that no older value is mistaken for the current one. */
  deleted: z.boolean(),
  version: z.int(),
});
export type DirectoryProject = z.infer<typeof directoryProject>;
