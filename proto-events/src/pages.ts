import { z } from 'zod';
import { hasRefs, people, withRefs } from './people-once.ts';

const more = z.literal(true).optional().describe('For a search: there are more matches than `total`');

const asOf = z
  .string()
  .optional()
  .describe('The transactions that `total` includes (`pg_snapshot` of PostgreSQL), to compare with those of changes');

/**
 * Describes a page of a list. A search counts up to 1,000 matches, and reports whether there are more. Users in the items
 * are references to `people`.
 */
export function pageOf<T extends z.ZodType>(item: T) {
  const listedItem = withRefs(item);
  const page = z.object({
    data: z.array(listedItem),
    people,
    total: z.int(),
    more,
    asOf,
    page: z.int(),
    totalPages: z.int(),
  });
  // A list without users has no `people`, which the type cannot express.
  return hasRefs(item) ? page : (page.omit({ people: true }) as typeof page);
}
