import type { ResponseOf } from '@atrium/proto-events/endpoint';
import { taskUpdated } from '@atrium/proto-events/events/projects';
import type { getProjectHistory } from '@atrium/proto-events/http/project-history';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { applyRetention } from '@atrium/service-kit/postgres/housekeeping';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RETENTION_RULES } from '../src/app.ts';
import { recordDay } from '../src/history/record-snapshots.ts';
import { createProject, createTask, startProjects, type TestUsers } from './factories.ts';

type History = ResponseOf<typeof getProjectHistory>;

const DAY_MS = 24 * 60 * 60 * 1000;

let service: TestService;
let users: TestUsers;
let db: Db;

beforeAll(async () => {
  ({ service, users } = await startProjects());
  db = createDb(service.env.DATABASE_URL ?? '', 4, createLogger('test', 'silent'));
  // The running service records the day when it starts, and checks again after a minute.
  const isRecorded = async () => (await service.query('select from snapshot_days')).length === 1;
  await waitFor(isRecorded, { description: 'the first day to be recorded' });
});
afterAll(async () => {
  await db.pool.end();
  await service.close();
});
beforeEach(async () => {
  await service.query('delete from snapshot_days');
  await service.query('delete from project_snapshots');
});

/** Moves everything recorded into the past. In two steps, because a day must be unique after each row. */
async function passDays(count: number): Promise<void> {
  for (const days of [-1000, 1000 - count]) {
    const values = [days];
    await service.query(
      `update snapshot_days set day = day + $1::int, recorded_at = recorded_at + $1 * interval '1 day'`,
      values,
    );
    await service.query('update project_snapshots set day = day + $1::int', values);
  }
}

async function readHistory(id: string, query: Record<string, string> = {}): Promise<History> {
  const path = `/projects/${id}/history?${new URLSearchParams(query)}`;
  const { status, body } = await service.call('GET', path, { as: users.stranger });
  expect(status).toBe(200);
  return body as History;
}

const setStatus = (id: string, status: string) =>
  service.call('PATCH', `/tasks/${id}`, { as: users.admin, body: { status } });

const setProgress = (id: string, progress: number) =>
  service.call('PATCH', `/projects/${id}`, { as: users.admin, body: { progress } });

const toDay = (date: Date) => date.toISOString().slice(0, 10);
const addDays = (day: string, days: number) => toDay(new Date(Date.parse(day) + days * DAY_MS));

/** Of the last year, so that the history always reaches back to it. */
function findLastSundayOfOctober(): string {
  const lastDay = new Date(Date.UTC(new Date().getUTCFullYear() - 1, 9, 31));
  return addDays(toDay(lastDay), -lastDay.getUTCDay());
}

const dayBefore = (days: number) => toDay(new Date(Date.now() - days * DAY_MS));

describe('the snapshots of a project', () => {
  it('have its status, progress, and tasks by state on each day', async () => {
    const project = await createProject(service, users, { status: 'in-progress' });
    for (const status of ['todo', 'in-progress', 'in-progress', 'review', 'done'])
      await createTask(service, users, { project: project._id, status });
    await recordDay(db);
    await passDays(1);
    await setProgress(project._id, 40);
    await recordDay(db);
    const { snapshots } = await readHistory(project._id);
    const tasks = { todo: 1, inProgress: 2, review: 1, done: 1 };
    expect(snapshots).toEqual([
      { day: dayBefore(1), recordedAt: expect.any(String), status: 'in-progress', progress: 0, tasks },
      { day: dayBefore(0), recordedAt: expect.any(String), status: 'in-progress', progress: 40, tasks },
    ]);
    expect(Date.parse(snapshots[1]?.recordedAt ?? '') - Date.parse(snapshots[0]?.recordedAt ?? '')).toBeGreaterThan(
      DAY_MS / 2,
    );
  });

  it('repeat the last state on days without changes, which have no row', async () => {
    const project = await createProject(service, users, { status: 'in-progress' });
    for (const _day of ['first', 'second', 'third']) {
      await recordDay(db);
      await passDays(1);
    }
    const { snapshots } = await readHistory(project._id);
    expect(snapshots.map(({ day }) => day)).toEqual([dayBefore(3), dayBefore(2), dayBefore(1)]);
    expect(await service.query('select from project_snapshots where project_id = $1', [project._id])).toHaveLength(1);
  });

  it('omit days that were not recorded, also if nothing changed on them', async () => {
    const project = await createProject(service, users);
    await recordDay(db);
    await passDays(4);
    await recordDay(db);
    const { snapshots } = await readHistory(project._id);
    expect(snapshots.map(({ day }) => day)).toEqual([dayBefore(4), dayBefore(0)]);
  });

  it('begin with the first day after its creation', async () => {
    await recordDay(db);
    await passDays(1);
    const project = await createProject(service, users);
    expect((await readHistory(project._id)).snapshots).toEqual([]);
    await recordDay(db);
    expect((await readHistory(project._id)).snapshots.map(({ day }) => day)).toEqual([dayBefore(0)]);
  });

  it('are recorded once per day, however many pods try', async () => {
    const project = await createProject(service, users, { status: 'in-progress' });
    const results = await Promise.all([recordDay(db), recordDay(db), recordDay(db), recordDay(db)]);
    expect(results.filter((rows) => rows !== undefined)).toHaveLength(1);
    await setProgress(project._id, 50);
    expect(await recordDay(db)).toBeUndefined();
    expect((await readHistory(project._id)).snapshots.map(({ progress }) => progress)).toEqual([0]);
  });

  it('contain only those of the requested period', async () => {
    const project = await createProject(service, users);
    await recordDay(db);
    await passDays(100);
    await recordDay(db);
    const from = new Date(Date.now() - 101 * DAY_MS).toISOString();
    expect((await readHistory(project._id)).snapshots).toHaveLength(1);
    expect((await readHistory(project._id, { from })).snapshots).toHaveLength(2);
  });

  it('are removed after their project was deleted', async () => {
    const deletedProject = await createProject(service, users);
    const project = await createProject(service, users);
    await recordDay(db);
    await service.call('DELETE', `/projects/${deletedProject._id}`, { as: users.admin });
    await applyRetention(db, RETENTION_RULES);
    const rows = await service.query('select project_id from project_snapshots');
    expect(rows.map(({ project_id }) => project_id)).toContain(project._id);
    expect(rows.map(({ project_id }) => project_id)).not.toContain(deletedProject._id);
  });
});

describe('the completed tasks of a project', () => {
  const complete = async (project: string, completedAt: string) => {
    const { _id } = await createTask(service, users, { project, status: 'done' });
    await service.query('update tasks set completed_at = $2 where id = $1', [_id, completedAt]);
    return _id;
  };

  const countListed = async (project: string, completedFrom: string, completedBefore: string) => {
    const query = new URLSearchParams({ completedFrom, completedBefore, limit: '1' });
    const { body } = await service.call('GET', `/tasks/project/${project}?${query}`, { as: users.stranger });
    return (body as { total: number }).total;
  };

  it('are counted by the days of the requested time zone, as the list of tasks counts them', async () => {
    const { _id: project } = await createProject(service, users);
    // In Berlin, summer time ends on that Sunday; in Kathmandu, the offset is 5:45.
    const sunday = findLastSundayOfOctober();
    const [saturday, monday] = [addDays(sunday, -1), addDays(sunday, 1)];
    for (const time of [`${saturday}T21:59:59Z`, `${saturday}T22:00:00Z`, `${sunday}T22:59:59Z`, `${sunday}T23:00:00Z`])
      await complete(project, time);
    const from = `${addDays(sunday, -20)}T00:00:00.000Z`;
    const berlin = await readHistory(project, { from, timezone: 'Europe/Berlin' });
    expect(berlin.completions).toEqual([
      { day: saturday, count: 1 },
      { day: sunday, count: 2 },
      { day: monday, count: 1 },
    ]);
    expect(await countListed(project, `${saturday}T22:00:00.000Z`, `${sunday}T23:00:00.000Z`)).toBe(2);
    const kathmandu = await readHistory(project, { from, timezone: 'Asia/Kathmandu' });
    expect(kathmandu.completions).toEqual([
      { day: sunday, count: 2 },
      { day: monday, count: 2 },
    ]);
    expect(await countListed(project, `${saturday}T18:15:00.000Z`, `${sunday}T18:15:00.000Z`)).toBe(2);
  });

  it('exclude reopened tasks, and count a task completed again on its last day', async () => {
    const { _id: project } = await createProject(service, users);
    const reopened = await complete(project, `${dayBefore(10)}T12:00:00Z`);
    const completedAgain = await complete(project, `${dayBefore(9)}T12:00:00Z`);
    await setStatus(reopened, 'review');
    await setStatus(completedAgain, 'todo');
    await setStatus(completedAgain, 'done');
    const { completions } = await readHistory(project);
    expect(completions.map(({ count }) => count)).toEqual([1]);
    expect(completions[0]?.day.localeCompare(dayBefore(1))).toBeGreaterThan(0);
  });

  it('without a known time are counted separately', async () => {
    const { _id: project } = await createProject(service, users);
    const task = await complete(project, `${dayBefore(10)}T12:00:00Z`);
    await service.query('update tasks set completed_at = null where id = $1', [task]);
    expect(await readHistory(project)).toMatchObject({ completions: [], undatedCompletions: 1 });
  });

  it('carry the time in the task, and events name the field with its previous value', async () => {
    const { _id: project } = await createProject(service, users);
    const { _id } = await createTask(service, users, { project });
    const { body } = await setStatus(_id, 'done');
    const { completedAt } = body as { completedAt: string };
    expect(Date.now() - Date.parse(completedAt)).toBeLessThan(60_000);
    const isOfTask = (data: { taskId: string; version: number }) => data.taskId === _id && data.version === 2;
    const { data } = await service.waitForEvent(taskUpdated, isOfTask);
    expect(data.changed.toSorted()).toEqual(['completedAt', 'progress', 'status']);
    expect([data.previous?.completedAt, data.task?.completedAt]).toEqual([null, completedAt]);
    expect((await setStatus(_id, 'review')).body).toMatchObject({ completedAt: null });
  });
});

describe('GET /projects/:id/history', () => {
  const request = async (path: string) => (await service.call('GET', path, { as: users.member })).status;

  it('responds 404 without the project, and rejects anonymous callers', async () => {
    expect(await request(`/projects/${newId()}/history`)).toBe(404);
    expect((await service.call('GET', `/projects/${newId()}/history`)).status).toBe(401);
  });

  it('rejects unknown time zones and periods of more than two years', async () => {
    const { _id } = await createProject(service, users);
    expect(await request(`/projects/${_id}/history?timezone=Mars/Olympus`)).toBe(400);
    expect(await request(`/projects/${_id}/history?from=2020-01-01T00:00:00Z`)).toBe(400);
  });
});
