import type { getDocumentStats } from '@atrium/proto-events/http/documents';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';
import { selectReadable } from '../search/read-by-scope.ts';

export type DocumentStats = z.input<(typeof getDocumentStats)['response']>;

const MAX_LISTED = 5;

/** Computed from all documents that the caller can read. */
export async function computeStats(db: Queryable, caller: Caller): Promise<DocumentStats> {
  const { text, values } = selectReadable(caller, 'd.id, d.name, d.size, d.tags, d.downloads, d.created_at');
  const { rows } = await db.query<DocumentStats>(
    `with readable as materialized (${text}),
       most as (select id, name, downloads from readable where downloads > 0 order by downloads desc, id desc limit ${MAX_LISTED})
     select count(*) as total,
            coalesce(sum(size), 0)::bigint as "totalSize",
            count(*) filter (where created_at > now() - interval '7 days') as "recentUploads",
            (select count(*) from (select distinct unnest(tags) from readable) as tags) as categories,
            (select coalesce(json_agg(
               json_build_object('_id', id, 'name', name, 'downloads', downloads) order by downloads desc, id desc), '[]')
             from most) as "mostDownloaded"
     from readable`,
    values,
  );
  const [stats] = rows;
  if (!stats) throw new Error('Document statistics query returned no row');
  return stats;
}
