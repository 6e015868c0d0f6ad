import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import type pg from 'pg';
import { inDatabase, insertAll } from './insert.ts';
import { DEPARTMENTS, FIRST_NAMES, LAST_NAMES, PLACES, ZONES } from './names.ts';
import { createSeededId, createSeededRandom, type SeededRandom } from './seeded-random.ts';

const SEED_DOMAIN = 'seed.example';

export type SeededPerson = {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  location: string;
  department_id: string | null;
  role: 'admin' | 'project_manager' | 'member';
  status: 'active' | 'inactive';
  timezone: string;
  join_date: string;
};

const DAY = 86_400_000;
const PER_DEPARTMENT = 200;
const MAX_DEPARTMENTS = 60;

/** Inserts people and departments, and publishes them to the directory through the outbox. */
export const seedPeople = async (usersUrl: string, count: number): Promise<SeededPerson[]> => {
  const random = createSeededRandom(count);
  return inDatabase(usersUrl, async (client) => {
    const departments = await seedDepartments(client, Math.min(MAX_DEPARTMENTS, Math.ceil(count / PER_DEPARTMENT)));
    const people = Array.from({ length: count }, (_, index) => buildUser(index, departments, random));
    const columns = `id text, email text, first_name text, last_name text, location text, department_id text, role text,
      status text, timezone text, join_date timestamptz`;
    await insertAll(client, { table: 'users', columns }, people);
    await publishPeople(client, people);
    return people;
  });
};

const toEmailPart = (name: string): string => toNormalForm(name.toLowerCase(), 'NFD').replace(/[^a-z]/g, '');

// The first user is always an administrator. The other roles are distributed as in a large organization.
const buildUser = (index: number, departments: string[], random: SeededRandom): SeededPerson => {
  const first = random.pick(FIRST_NAMES, 1.6);
  const last = random.pick(LAST_NAMES, 1.6);
  const roleDraw = random.integerBelow(50);
  const isAdmin = index === 0 || roleDraw === 0;
  return {
    id: createSeededId(),
    email: `${toEmailPart(first)}.${toEmailPart(last)}${index + 1}@${SEED_DOMAIN}`,
    first_name: first,
    last_name: last,
    location: random.pick(PLACES),
    department_id: random.nextBoolean(0.05) ? null : random.pick(departments, 3),
    role: isAdmin ? 'admin' : roleDraw < 5 ? 'project_manager' : 'member',
    status: index > 0 && random.nextBoolean(0.06) ? 'inactive' : 'active',
    timezone: random.pick(ZONES),
    join_date: new Date(Date.now() - random.integerBelow(1_500) * DAY).toISOString(),
  };
};

/** Adds departments to the seven default ones. Returns the ids of all active ones, the oldest first. */
const seedDepartments = async (client: pg.Client, count: number): Promise<string[]> => {
  const names = Array.from({ length: count }, (_, index) => {
    const region = PLACES[Math.floor(index / DEPARTMENTS.length)];
    const name = DEPARTMENTS[index % DEPARTMENTS.length] ?? '';
    return { id: createSeededId(), name: region ? `${name} ${region}` : name };
  });
  const { rows: created } = await client.query<{ id: string }>(
    `insert into departments (id, name) select id, name from jsonb_to_recordset($1::jsonb) as given (id text, name text)
     on conflict do nothing returning id`,
    [JSON.stringify(names)],
  );
  await client.query(
    `insert into outbox (subject, message_id, aggregate, payload)
     select 'directory:department.' || id, 'seed-' || id, 'directory:department.' || id,
            json_build_object('_id', id, 'name', name, 'isActive', is_active, 'version', version)
     from departments where id = any($1)`,
    [created.map(({ id }) => id)],
  );
  const { rows } = await client.query<{ id: string }>(
    'select id from departments where is_active order by created_at, id',
  );
  return rows.map(({ id }) => id);
};

const publishPeople = async (client: pg.Client, people: SeededPerson[]): Promise<void> => {
  await client.query(
    `insert into outbox (subject, message_id, aggregate, payload)
     select 'directory:user.' || id, 'seed-' || id, 'directory:user.' || id,
            json_build_object('_id', id, 'firstName', first_name, 'lastName', last_name, 'email', email, 'role', role,
              'status', status, 'departmentId', department_id, 'avatar', avatar, 'timezone', timezone, 'deleted', false,
              'sessionsValidAfter', sessions_valid_after, 'version', version)
     from users where id = any($1)`,
    [people.map(({ id }) => id)],
  );
};

/** Inserts the tasks and the number of completed tasks per user, as the users service stores them. */
export const seedCompletedTasks = (
  usersUrl: string,
  tasks: readonly { id: string; project_id: string; status: string; assigned_to: string | null }[],
): Promise<void> =>
  inDatabase(usersUrl, async (client) => {
    const taskRows = tasks.map(({ id, project_id, status, assigned_to }) => ({
      task_id: id,
      project_id,
      version: 1,
      completed_by: status === 'done' ? assigned_to : null,
    }));
    const columns = 'task_id text, project_id text, version integer, completed_by text';
    await insertAll(client, { table: 'task_completions', columns }, taskRows);
    await client.query(
      `update users u set tasks_completed = counts.n
       from (select completed_by, count(*) as n from task_completions where completed_by is not null group by completed_by) as counts
       where u.id = counts.completed_by and u.tasks_completed <> counts.n`,
    );
  });
