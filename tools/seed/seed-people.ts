import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import type pg from 'pg';
import { inDatabase, insertAll } from './insert.ts';
import { DEPARTMENTS, FIRST_NAMES, LAST_NAMES, PLACES, ZONES } from './names.ts';
import { type Chance, createSeededRandom, madeId } from './seeded-random.ts';

export const SEED_DOMAIN = 'seed.example';

/** A person as the users service keeps them. */
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
const MOST_DEPARTMENTS = 60;

/** Puts people and their departments into the users service's database, and all of them into the directory through its outbox. */
export const seedPeople = async (usersUrl: string, count: number): Promise<SeededPerson[]> => {
  const chance = createSeededRandom(count);
  return inDatabase(usersUrl, async (client) => {
    const departments = await seedDepartments(client, Math.min(MOST_DEPARTMENTS, Math.ceil(count / PER_DEPARTMENT)));
    const people = Array.from({ length: count }, (_, index) => buildUser(index, departments, chance));
    const columns = `id text, email text, first_name text, last_name text, location text, department_id text, role text,
      status text, timezone text, join_date timestamptz`;
    await insertAll(client, { table: 'users', columns }, people);
    await enterPeople(client, people);
    return people;
  });
};

const plain = (name: string): string => toNormalForm(name.toLowerCase(), 'NFD').replace(/[^a-z]/g, '');

// The first is an administrator whom one can count on; the shares are a large organisation's.
const buildUser = (index: number, departments: string[], chance: Chance): SeededPerson => {
  const [first, last] = [chance.one(FIRST_NAMES, 1.6), chance.one(LAST_NAMES, 1.6)];
  const inTwenty = chance.whole(50);
  const isAdmin = index === 0 || inTwenty === 0;
  return {
    id: madeId(),
    email: `${plain(first)}.${plain(last)}${index + 1}@${SEED_DOMAIN}`,
    first_name: first,
    last_name: last,
    location: chance.one(PLACES),
    department_id: chance.happens(0.05) ? null : chance.one(departments, 3),
    role: isAdmin ? 'admin' : inTwenty < 5 ? 'project_manager' : 'member',
    status: index > 0 && chance.happens(0.06) ? 'inactive' : 'active',
    timezone: chance.one(ZONES),
    join_date: new Date(Date.now() - chance.whole(1_500) * DAY).toISOString(),
  };
};

/** The seven that are there and some more; answers all that take people in, the oldest first. */
const seedDepartments = async (client: pg.Client, more: number): Promise<string[]> => {
  const names = Array.from({ length: more }, (_, index) => {
    const region = PLACES[Math.floor(index / DEPARTMENTS.length)];
    const name = DEPARTMENTS[index % DEPARTMENTS.length] ?? '';
    return { id: madeId(), name: region ? `${name} ${region}` : name };
  });
  const { rows: made } = await client.query<{ id: string }>(
    `insert into departments (id, name) select id, name from jsonb_to_recordset($1::jsonb) as given (id text, name text)
     on conflict do nothing returning id`,
    [JSON.stringify(names)],
  );
  await client.query(
    `insert into outbox (subject, message_id, aggregate, payload)
     select 'directory:department.' || id, 'seed-' || id, 'directory:department.' || id,
            json_build_object('_id', id, 'name', name, 'isActive', is_active, 'version', version)
     from departments where id = any($1)`,
    [made.map(({ id }) => id)],
  );
  const { rows } = await client.query<{ id: string }>(
    'select id from departments where is_active order by created_at, id',
  );
  return rows.map(({ id }) => id);
};

/** The directory's entries, as the users service would have written them. */
const enterPeople = async (client: pg.Client, people: SeededPerson[]): Promise<void> => {
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

/** After the tasks: who has how many of them done, and each task as the users service knows it. */
export const seedCompletedTasks = (
  usersUrl: string,
  tasks: readonly { id: string; project_id: string; status: string; assigned_to: string | null }[],
): Promise<void> =>
  inDatabase(usersUrl, async (client) => {
    const standings = tasks.map(({ id, project_id, status, assigned_to }) => ({
      task_id: id,
      project_id,
      version: 1,
      done_by: status === 'done' ? assigned_to : null,
    }));
    const columns = 'task_id text, project_id text, version integer, done_by text';
    await insertAll(client, { table: 'task_standings', columns }, standings);
    await client.query(
      `update users u set tasks_completed = done.n
       from (select done_by, count(*) as n from task_standings where done_by is not null group by done_by) as done
       where u.id = done.done_by and u.tasks_completed <> done.n`,
    );
  });
