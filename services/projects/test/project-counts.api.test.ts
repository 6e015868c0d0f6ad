import type { ResponseOf } from '@atrium/proto-events/endpoint';
import { projectCountsChanged } from '@atrium/proto-events/events/projects';
import type { getProjectStats } from '@atrium/proto-events/http/projects';
import { presentItem } from '@atrium/proto-events/responses/present';
import { buildUser } from '@atrium/test-kit/build-user';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addDaysToToday, createProject, startProjects, type TestUsers } from './factories.ts';

type Stats = ResponseOf<typeof getProjectStats>;

let service: TestService;
let users: TestUsers;

beforeAll(async () => {
  ({ service, users } = await startProjects());
});
afterAll(() => service.close());

const readStats = async (as: TestUsers['member']) =>
  (await service.call('GET', '/projects/stats', { as })).body as Stats;
const cancel = (id: string) =>
  service.call('PATCH', `/projects/${id}`, { as: users.admin, body: { status: 'cancelled' } });

describe('GET /projects/stats', () => {
  it('counts by status, and counts open projects past their due date as overdue', async () => {
    const statsBefore = await readStats(users.member);
    await createProject(service, users, { deadline: '2020-01-01', status: 'in-progress' });
    const canceledProject = await createProject(service, users, { deadline: '2020-01-01' });
    await cancel(canceledProject._id);
    const statsAfter = await readStats(users.member);
    const increase = (name: keyof Stats, by: number) => ({ [name]: statsBefore[name] + by });
    expect(statsAfter).toEqual({
      ...statsBefore,
      ...increase('active', 1),
      ...increase('inProgress', 1),
      ...increase('cancelled', 1),
      ...increase('overdue', 1),
      ...increase('total', 2),
    });
    expect(Object.keys(statsAfter)).toHaveLength(8);
  });

  it('counts projects due yesterday as overdue, but not those due today or tomorrow', async () => {
    const countOverdue = async () => (await readStats(users.member)).overdue;
    const countBefore = await countOverdue();
    for (const deadline of [addDaysToToday(0), addDaysToToday(1), `${addDaysToToday(0)}T00:00:01Z`]) {
      await createProject(service, users, { deadline });
      expect([deadline, await countOverdue()]).toEqual([deadline, countBefore]);
    }
    await createProject(service, users, { deadline: addDaysToToday(-1) });
    expect(await countOverdue()).toBe(countBefore + 1);
  });

  it('rejects anonymous callers', async () => {
    expect((await service.call('GET', '/projects/stats')).status).toBe(401);
  });
});

describe('the event projects.counts.changed', () => {
  it('carries what GET /projects/stats returns in every time zone', async () => {
    // The clocks of the first and the last zone are 25 hours apart, so their dates always differ.
    const viewers = ['Pacific/Pago_Pago', 'UTC', 'Pacific/Kiritimati'].map((timezone) => buildUser({ timezone }));
    service.addToDirectory(...viewers);
    const [dateBehind, dateInUtc, dateAhead] = viewers.map(({ timezone }) =>
      new Date().toLocaleDateString('sv-SE', { timeZone: timezone }),
    );
    await createProject(service, users, { deadline: dateBehind });
    const statsOfViewers = await Promise.all(viewers.map(readStats));
    const { data } = await service.waitForEvent(
      projectCountsChanged,
      ({ total }) => total === statsOfViewers[0]?.total,
    );
    const presentedCounts = [dateBehind, dateInUtc, dateAhead].map((today = '') =>
      presentItem('project-counts', data, {
        viewer: { userId: users.member._id, role: 'member' },
        today,
        membershipIn: () => null,
      }),
    );
    expect(presentedCounts).toEqual(statsOfViewers);
    expect(statsOfViewers[2]?.overdue).toBeGreaterThan(statsOfViewers[0]?.overdue ?? 0);
  });

  it('is published after projects were changed or deleted', async () => {
    const changedProject = await createProject(service, users);
    const deletedProject = await createProject(service, users);
    await cancel(changedProject._id);
    const { total, cancelled } = await readStats(users.member);
    await service.waitForEvent(projectCountsChanged, (data) => data.total === total && data.cancelled === cancelled);
    await service.call('DELETE', `/projects/${deletedProject._id}`, { as: users.admin });
    await service.waitForEvent(
      projectCountsChanged,
      (data) => data.total === total - 1 && data.cancelled === cancelled,
    );
  });
});
