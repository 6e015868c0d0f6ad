import type { Db } from '@atrium/service-kit/postgres';
import type { ProjectDirectory } from '@atrium/service-kit/project-directory';
import { enterProject } from './projects/announce-project.ts';
import { lockProject } from './projects/project-repository.ts';

const PAGE = 500;

/**
 * Queues for the directory of projects whatever it lacks or has an older version of: all of them in an installation from before
 * there was one, or after a restore. Answers how many that were.
 */
export async function republishProjects(db: Db, known: ProjectDirectory, signal: AbortSignal): Promise<number> {
  let queued = 0;
  let after = '';
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await db.query<{ id: string; version: number }>(
      `select id, version from projects where id > $1 order by id limit ${PAGE}`,
      [after],
    );
    const stale = rows.filter(({ id, version }) => (known.project(id)?.version ?? -1) < version);
    if (stale.length > 0)
      queued += await enterAll(
        db,
        stale.map(({ id }) => id),
      );
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return queued;
    after = last.id;
  }
}

/** Each row is locked while it is read, so that no older value is queued behind a newer one. */
const enterAll = (db: Db, ids: string[]): Promise<number> =>
  db.transaction(async (tx) => {
    let entered = 0;
    for (const id of ids) {
      const row = await lockProject(tx, id);
      if (!row) continue;
      await enterProject(tx, row);
      entered += 1;
    }
    return entered;
  });
