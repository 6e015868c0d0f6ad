import { migrate } from '@atrium/service-kit/postgres/migrate';
import { testDatabase } from '@atrium/test-kit/backing-servers';
import { migrateUpTo } from '@atrium/test-kit/migrate-up-to';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { usersService } from '../src/app.ts';

/** What a pod of commit 149c909 asks of a table that is no more, word for word, with the plans it made before. */
const STATEMENTS = {
  marks: `select last, first, id, (select generation from user_list_state) as generation
     from (
       select lower(u.last_name) as last, lower(u.first_name) as first, u.id, row_number() over (order by lower(u.last_name), lower(u.first_name), u.id) as place
       from users u where u.deleted_at is null and u.role = $1
     ) as everybody
     where place % 100 = 1 order by place`,
  found: `with u as materialized (
       select u.id, u.last_name, u.first_name from users u where u.deleted_at is null and u.search like lower($1) limit $2
     )
     select (select generation from user_list_state) as generation, array(select u.id from u order by lower(u.last_name), lower(u.first_name), u.id) as ids`,
  state: 'select generation from user_list_state',
};
const RENAME = `update users set last_name = $2, updated_at = now(), version = version + 1 where id = $1`;
const MOVE = `update users set department_id = $2, updated_at = now(), version = version + 1 where id = $1`;
const [ENGINEERING, DESIGN] = ['000000000000000000000d01', '000000000000000000000d02'];

let url: string;
const pods: pg.Client[] = [];

beforeAll(async () => {
  url = await testDatabase('users_before');
  await migrateUpTo(url, usersService.migrations, '0003');
  for (let pod = 0; pod < 3; pod += 1) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    pods.push(client);
  }
  await pods[0]?.query(`insert into users (id, email, first_name, last_name, role, status, department_id, join_date)
    select 'u' || n, 'u' || n || '@before.example', 'Ann', 'Miller' || n, 'member', 'active', '${ENGINEERING}', now()
    from generate_series(1, 300) n`);
});
afterAll(() => Promise.all(pods.map((pod) => pod.end())));

const ask = async (pod: pg.Client, name: keyof typeof STATEMENTS, values: unknown[] = []) =>
  (await pod.query<{ generation: string; id?: string; ids?: string[] }>({ name, text: STATEMENTS[name], values })).rows;

async function answersTo(pod: pg.Client) {
  const marks = await ask(pod, 'marks', ['member']);
  const [found] = await ask(pod, 'found', ['%miller29%', 100]);
  return { marks: marks.map(({ id }) => id), found: found?.ids };
}

describe('a pod of the release before', () => {
  it('goes on asking and writing while the schema changes and afterwards', async () => {
    const [asking, ...writing] = pods as [pg.Client, ...pg.Client[]];
    const before = await answersTo(asking);
    let isDone = false;
    const keepOn = async (turn: (count: number) => Promise<unknown>) => {
      for (let count = 0; !isDone; count += 1) await turn(count);
    };
    const working = Promise.all([
      keepOn(() => answersTo(asking)),
      ...writing.map((pod, index) => keepOn((count) => pod.query(RENAME, [`u${index + 1}`, `Smith${count}`]))),
    ]);
    await migrate(url, usersService.migrations).finally(() => {
      isDone = true;
    });
    await working;
    const after = await answersTo(asking);
    expect([after.found, after.marks.length]).toEqual([before.found, 3]);
    await asking.query(RENAME, ['u17', 'Miller29']);
    expect((await answersTo(asking)).found).toEqual(['u17', ...(before.found ?? [])]);
  });

  it('takes no list that it remembers for the present one', async () => {
    const [pod] = pods as [pg.Client];
    const [[before], [now]] = [await ask(pod, 'state'), await ask(pod, 'state')];
    expect(Number(now?.generation)).toBeGreaterThan(Number(before?.generation));
  });

  it('and a new one count people in one order, so that two who change places wait for each other and not in a circle', async () => {
    const [one, other, seeing] = pods as [pg.Client, pg.Client, pg.Client];
    await seeing.query(MOVE, ['u2', DESIGN]);
    for (let turn = 0; turn < 50; turn += 1) {
      const [first, second] = turn % 2 === 0 ? [DESIGN, ENGINEERING] : [ENGINEERING, DESIGN];
      await Promise.all([one.query(MOVE, ['u1', first]), other.query(MOVE, ['u2', second])]);
    }
    const { rows } = await seeing.query(
      `select department_id, sum(n)::int as n from user_counts group by 1 having sum(n) <> 0
       except select department_id, count(*)::int from users group by 1`,
    );
    expect(rows).toEqual([]);
  });
});
