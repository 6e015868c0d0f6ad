import { projectCreated, projectDeleted } from '@atrium/proto-events/events/projects';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { READABLE, readerOf } from '../src/documents/visibility.ts';
import { createDocument, type Started, startDocuments } from './factories.ts';

const DEPARTMENT = newId();
const PROJECTS = [newId(), newId()] as const;
const DAY_MS = 86_400_000;
const STEPS = 90;
const CHECK_INTERVAL = 30;

let started: Started;
let users: DirectoryUser[];
beforeAll(async () => {
  started = await startDocuments();
  const { service, people } = started;
  service.running.directory.putDepartment({ _id: DEPARTMENT, name: 'Sales', isActive: true, version: 1 });
  users = [people.admin, people.uploader, people.friend, buildUser({ departmentId: DEPARTMENT }), people.stranger];
  service.addToDirectory(...users);
  const memberIds = [[1, 2], [3]].map((indexes) => indexes.map((index) => users[index]?._id ?? ''));
  for (const [at, projectId] of PROJECTS.entries())
    await service.deliver(projectCreated, {
      projectId,
      name: `Project ${at}`,
      status: 'in-progress',
      managerId: people.manager._id,
      memberIds: memberIds[at] ?? [],
      createdBy: people.admin._id,
      version: 1,
    });
});
afterAll(() => started.service.close());

const call = (method: string, path: string, as: DirectoryUser, body?: unknown) =>
  started.service.call(method, `/documents${path}`, { as, ...(body !== undefined && { body }) });

/** Computes the statistics from each readable document. */
async function computeExpected(as: DirectoryUser) {
  const [{ figures, most } = {}] = await started.service.query(
    `with readable as (select d.* from documents d where ${READABLE})
     select json_build_object(
       'total', count(*), 'totalSize', coalesce(sum(size), 0),
       'recentUploads', count(*) filter (where created_at > now() - interval '7 days'),
       'categories', (select count(distinct tag) from readable, unnest(tags) tag)) as figures,
     (select coalesce(json_agg(json_build_object('_id', m.id, 'name', m.name, 'downloads', m.downloads)), '[]') from (
       select * from readable where downloads > 0 order by downloads desc, id desc limit 5) as m) as most
     from readable`,
    readerOf({ ...as, userId: as._id } as never),
  );
  return { ...(figures as object), mostDownloaded: most };
}

async function assertStats(when: string): Promise<void> {
  for (const as of users) {
    const expected = await computeExpected(as);
    const { body } = await call('GET', '/stats', as);
    expect({ when, user: as.firstName, ...(body as object) }).toEqual({ when, user: as.firstName, ...expected });
    const { total } = (await call('GET', '?limit=1', as)).body as { total: number };
    expect({ when, total }).toEqual({ when, total: (expected as { total?: number }).total });
  }
}

it('GET /documents/stats equals the sums over readable documents after random operations', async () => {
  const seed = Number(process.env.STATS_SEED ?? Math.floor(Math.random() * 1_000_000));
  const next = createSeededRandom(seed);
  const randomBelow = (limit: number) => Math.floor(next() * limit);
  const pickOne = <T>(items: readonly T[]) => items[randomBelow(items.length)] as T;
  const ids: string[] = [];
  const owners = new Map<string, DirectoryUser>();
  const onRandomDocument = async (run: (id: string, as: DirectoryUser) => Promise<unknown>) => {
    const id = ids.length > 0 ? pickOne(ids) : undefined;
    if (id !== undefined) await run(id, owners.get(id) as DirectoryUser);
  };
  const steps: (() => Promise<unknown>)[] = [
    async () => {
      // Uses the user's own projects, because others are rejected.
      const as = pickOne(users.slice(0, 4));
      const project = { 1: PROJECTS[0], 2: PROJECTS[0], 3: PROJECTS[1] }[users.indexOf(as)];
      const visibility = pickOne(['private', 'team', 'public']);
      const tags = Array.from({ length: randomBelow(4) }, () => `tag ${randomBelow(6)}`).join(',');
      const fields = { visibility, tags, ...(project && next() < 0.6 && { project }) };
      const { _id } = await createDocument(started.service, { as, fields, content: 'x'.repeat(1 + randomBelow(500)) });
      ids.push(_id);
      owners.set(_id, as);
    },
    () =>
      onRandomDocument((id, as) => call('PATCH', `/${id}`, as, { visibility: pickOne(['private', 'team', 'public']) })),
    () =>
      onRandomDocument((id, as) =>
        call('PATCH', `/${id}`, as, { tags: [`tag ${randomBelow(6)}`, `tag ${randomBelow(6)}`] }),
      ),
    () => onRandomDocument((id, as) => call('POST', `/${id}/share`, as, { userIds: [pickOne(users)._id] })),
    () => onRandomDocument((id, as) => call('POST', `/${id}/share`, as, { departmentIds: [DEPARTMENT] })),
    () => onRandomDocument((id, as) => call('POST', `/${id}/share`, as, { projectIds: [pickOne(PROJECTS)] })),
    () => onRandomDocument((id, as) => call('DELETE', `/${id}/share`, as, { userIds: [pickOne(users)._id] })),
    () => onRandomDocument((id, as) => call('DELETE', `/${id}`, as)),
    () => onRandomDocument((id, as) => call('POST', `/trash/${id}/restore`, as)),
    // Counts downloads like the download counter.
    () =>
      onRandomDocument((id) =>
        started.service.query('update documents set downloads = downloads + $2 where id = $1', [
          id,
          1 + randomBelow(3),
        ]),
      ),
    () => onRandomDocument((id) => started.service.query('update documents set size = size + 7 where id = $1', [id])),
    () =>
      onRandomDocument(async (id) => {
        if (next() < 0.2) await started.service.query('delete from documents where id = $1', [id]);
      }),
  ];
  for (let step = 1; step <= STEPS; step += 1) {
    await (steps[Math.floor(next() ** 1.5 * steps.length)] as (typeof steps)[number])();
    if (step % CHECK_INTERVAL === 0) await assertStats(`seed ${seed}, step ${step}`);
  }
  await assertStats(`seed ${seed}, end`);

  const ages = [7 * DAY_MS - 60_000, 7 * DAY_MS + 60_000, 6.5 * DAY_MS, 9 * DAY_MS, 900 * DAY_MS];
  for (const [at, age] of ages.entries())
    await started.service.query(
      `insert into all_documents (id, name, description, visibility, tags, uploaded_by, object_key, extension, mimetype, size, sha256, created_at)
       values ($1, 'Old', '', $2, '{old}', $3, $1, 'txt', 'text/plain', 5, '', $4)`,
      [newId(), at % 2 ? 'public' : 'private', users[1]?._id, new Date(Date.now() - age)],
    );
  await assertStats(`seed ${seed}, with old ones`);
  await started.service.query(`delete from documents where name = 'Old' and visibility = 'private'`);
  await assertStats(`seed ${seed}, without some old ones`);

  // Nine days pass, and documents of the deleted project stay with their uploader.
  await started.service.query(`update all_documents set created_at = created_at - interval '9 days'`);
  await started.service.deliver(projectDeleted, { projectId: PROJECTS[0], name: 'Project 0' });
  await assertStats(`seed ${seed}, nine days later`);
});
