import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import type { ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import { PROJECTS_SUBJECT } from '@atrium/service-kit/messaging/outbox';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { lockProject, raiseVersion } from './projects/project-repository.ts';
import { publishMissingTombstone, publishProjectEntry } from './projects/publish-project-events.ts';

const PAGE = 2_000;
const AT_ONCE = 500;

/**
 * Queues for the directory of projects whatever it has otherwise than the table: all of them in an installation from before there
 * was one, what a pod of that time writes or deletes during an upgrade, and what a restored database has no more or in an older
 * version. Answers the ids.
 */
export async function reconcileDirectory(db: Db, known: ProjectDirectory, signal: AbortSignal): Promise<string[]> {
  const present = new Set<string>();
  const wrong: string[] = [];
  let after = '';
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await db.query<{ id: string; version: number }>(
      `select id, version from projects where id > $1 order by id limit ${PAGE}`,
      [after],
    );
    for (const { id, version } of rows) {
      present.add(id);
      if (!isTold(known.project(id), version)) wrong.push(id);
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) break;
    after = last.id;
  }
  for (const { _id, deleted } of known.projects()) if (!deleted && !present.has(_id)) wrong.push(_id);
  const waiting = await waitingVersions(db);
  const untold = wrong.filter((id) => (waiting.get(id) ?? 0) <= (known.project(id)?.version ?? 0));
  for (let from = 0; from < untold.length; from += AT_ONCE) {
    signal.throwIfAborted();
    await tell(db, known, untold.slice(from, from + AT_ONCE));
  }
  return wrong;
}

const TOLD = `${PROJECTS_SUBJECT}project.`;

/**
 * The newest version of each project that waits in the outbox, until NATS is back or because it was refused: queuing it again would change
 * nothing. The outbox of a restored database may hold versions that the directory is past.
 */
async function waitingVersions(db: Db): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; version: number }>(
    `select substr(aggregate, length($1) + 1) as id, max((payload::jsonb ->> 'version')::int) as version
     from outbox where starts_with(aggregate, $1) group by aggregate`,
    [TOLD],
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

const isTold = (known: DirectoryProject | undefined, version: number) => known?.version === version && !known.deleted;

/** Each row is locked while it is read, so that no older value is queued behind a newer one. */
const tell = (db: Db, known: ProjectDirectory, ids: string[]): Promise<void> =>
  db.transaction(async (tx) => {
    for (const id of ids) {
      const row = await lockProject(tx, id);
      const told = known.project(id);
      if (!row) {
        if (told && !told.deleted) await publishMissingTombstone(tx, told);
        continue;
      }
      // What was told comes from a commit, so only a restored table is behind it.
      const isBehind = told && (told.deleted || told.version > row.version);
      await publishProjectEntry(tx, isBehind ? await raiseVersion(tx, id, told.version + 1) : row);
    }
  });
