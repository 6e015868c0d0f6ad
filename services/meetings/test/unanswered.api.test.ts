import type { UnansweredMeeting } from '@atrium/proto-events/http/meetings/meetings';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { inHours, startMeetings, type TestUserName, type TestUsers } from './factories.ts';

let service: TestService;
let users: TestUsers;
let meetings: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  meetings = await startMeetings();
  ({ service, users } = meetings);
});
afterAll(() => service.close());

async function listUnanswered(as: TestUserName, query = '') {
  const { status, body } = await service.call('GET', `/meetings/unanswered${query}`, { as: users[as] });
  expect(status).toBe(200);
  const { data, total } = body as { data: UnansweredMeeting[]; total: number };
  return { total, pending: data.map(({ title, pendingCount }) => [title, pendingCount]) };
}

it('meetings without all responses are listed for their organizer, soonest first, until everyone has responded', async () => {
  const participants = [users.invitee._id, users.second._id];
  const review = await meetings.scheduleMeeting({ title: 'Review', startTime: inHours(48), participants });
  await meetings.scheduleMeeting({ title: 'Retrospective', startTime: inHours(24), participants });
  await meetings.scheduleMeeting({ title: 'Far away', startTime: inHours(24 * 40), participants });
  await meetings.scheduleMeeting({ title: 'Of another organizer', startTime: inHours(24), participants }, 'admin');
  expect(await listUnanswered('organizer')).toEqual({
    total: 2,
    pending: [
      ['Retrospective', 2],
      ['Review', 2],
    ],
  });
  expect(await listUnanswered('organizer', '?limit=1&page=2')).toEqual({ total: 2, pending: [['Review', 2]] });
  await meetings.respond('invitee', review._id, 'declined');
  expect((await listUnanswered('organizer')).pending).toContainEqual(['Review', 1]);
  await meetings.respond('second', review._id, 'accepted');
  expect((await listUnanswered('organizer')).pending).toEqual([['Retrospective', 2]]);
  expect(await listUnanswered('invitee')).toEqual({ total: 0, pending: [] });
});

it('of a series, only the next meeting without all responses is listed', async () => {
  const { seriesId } = await meetings.scheduleMeeting(
    { title: 'Stand-up', startTime: inHours(24), isRecurring: true, recurringFrequency: 'daily' },
    'manager',
  );
  expect(await listUnanswered('manager')).toEqual({ total: 1, pending: [['Stand-up', 1]] });
  const [first] = await meetings.listOccurrences('manager', seriesId);
  await meetings.respond('invitee', first?._id ?? '', 'accepted');
  const { body } = await service.call('GET', '/meetings/unanswered', { as: users.manager });
  const [next] = (body as { data: UnansweredMeeting[] }).data;
  expect(next?.startTime).toBe(new Date(Date.parse(first?.startTime ?? '') + 86_400_000).toISOString());
});

it('distant pages and anonymous callers are rejected', async () => {
  expect((await service.call('GET', '/meetings/unanswered?page=1e9', { as: users.manager })).status).toBe(400);
  expect((await service.call('GET', '/meetings/unanswered')).status).toBe(401);
});
