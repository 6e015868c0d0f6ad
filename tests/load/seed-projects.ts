import { newId } from '@atrium/service-kit/process/new-id';
import pg from 'pg';
import type { LoadEnvironment } from './load-environment.ts';

/** Inserts 100 projects with four members each directly into the database. */
export async function seedProjects(databaseUrl: string, users: LoadEnvironment['users']): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (let index = 0; index < 100; index += 1) {
      const id = newId();
      const userId = (offset: number) => users[(index + offset) % users.length]?._id;
      await client.query(
        `insert into projects (id, name, description, priority, status, manager_id, progress, due_date, created_by)
         values ($1, $2, $3, 'high', 'in-progress', $4, $5, now() + interval '20 days', $4)`,
        [
          id,
          `Project number ${index}`,
          'What it is about, in a sentence or two of the usual length.',
          userId(0),
          index % 100,
        ],
      );
      await client.query(
        'insert into project_members (project_id, user_id, position) select $1, unnest($2::text[]), generate_series(1, 4)',
        [id, [userId(1), userId(2), userId(3), userId(4)]],
      );
    }
    await client.query('analyze');
  } finally {
    await client.end();
  }
}
