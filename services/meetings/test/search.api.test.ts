import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { searchMeetings } from '@atrium/proto-events/http/search/meetings';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { berlinDay, startMeetings, type TestUserName } from './factories.ts';

type Started = Awaited<ReturnType<typeof startMeetings>>;
let meetings: Started;

beforeAll(async () => {
  meetings = await startMeetings();
  const { users, create, patch } = meetings;
  const participants = [users.invitee._id];
  await create('organizer', { title: 'Budget review', description: 'Costs of the café', participants });
  await create('organizer', { title: 'Budget secrets', participants: [users.second._id] });
  const { body } = await create('organizer', { title: 'Planning', participants });
  const planning = body as { _id: string };
  await patch('organizer', planning._id, { notes: 'Ferry timetable for Åland' });
  await create('organizer', {
    title: 'Weekly standup',
    participants,
    isRecurring: true,
    recurringFrequency: 'weekly',
    recurringEndDate: berlinDay(60).slice(0, 10),
  });
});
afterAll(() => meetings.service.close());

async function search(as: TestUserName, q: string) {
  const { service, users } = meetings;
  const { status, body } = await service.call('GET', `/meetings/search?${new URLSearchParams({ q })}`, {
    as: users[as],
  });
  expect(status).toBe(200);
  return body as ResponseOf<typeof searchMeetings>;
}
const toText = (parts: readonly { text: string }[]) => parts.map(({ text }) => text).join('');
const findTitles = async (as: TestUserName, q: string) => (await search(as, q)).data.map(({ title }) => toText(title));

describe('a search of meetings', () => {
  it('finds and counts only meetings that the user is invited to', async () => {
    expect(await search('invitee', 'budget')).toMatchObject({
      data: [
        {
          title: [
            { text: 'Budget', match: true },
            { text: ' review', match: false },
          ],
          snippet: null,
        },
      ],
      total: 1,
    });
    expect(await search('stranger', 'budget')).toEqual({ data: [], total: 0, more: false });
    expect((await findTitles('admin', 'budget')).toSorted()).toEqual(['Budget review', 'Budget secrets']);
  });

  it.each([
    ['cafe', 'Budget review', 'Costs of the café'],
    ['aland ferry', 'Planning', 'Ferry timetable for Åland'],
  ])('finds descriptions and minutes, with a snippet: %s', async (q, title, snippet) => {
    const { data } = await search('invitee', q);
    expect(data.map((meeting) => [toText(meeting.title), toText(meeting.snippet ?? [])])).toEqual([[title, snippet]]);
  });

  it('finds agenda items, with a snippet', async () => {
    const { users, create } = meetings;
    await create('organizer', { title: 'Kickoff', agenda: '1. Crane\n2. Pilots', participants: [users.invitee._id] });
    const { data } = await search('invitee', 'pilots');
    expect(data.map(({ snippet }) => toText(snippet ?? []))).toEqual(['1. Crane 2. Pilots']);
  });

  it('finds those of the operators of a query', async () => {
    expect(await findTitles('invitee', 'budget from:paul after:2020-01-01')).toEqual(['Budget review']);
    expect(await findTitles('invitee', 'budget from:me')).toEqual([]);
    expect(await findTitles('organizer', 'budget from:me -secrets')).toEqual(['Budget review']);
    expect(await findTitles('invitee', 'budget before:2020-01-01')).toEqual([]);
    expect(await findTitles('invitee', 'budget in:portal')).toEqual([]);
    expect(await findTitles('invitee', 'budget -in:portal')).toEqual(['Budget review']);
    expect(await findTitles('invitee', 'budget is:pinned')).toEqual([]);
  });

  it('lists those of operators alone that the user is invited to, closest to now, and a series once', async () => {
    const listed = await search('invitee', 'from:paul after:2020-01-01');
    expect(listed.data.map(({ title }) => toText(title)).toSorted()).toEqual([
      'Budget review',
      'Kickoff',
      'Planning',
      'Weekly standup',
    ]);
    const distances = listed.data.map(({ startTime }) => Math.abs(Date.parse(startTime) - Date.now()));
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    expect(listed).toMatchObject({ total: 4, more: false });
    expect(await findTitles('invitee', 'from:me')).toEqual([]);
    expect(await search('stranger', 'from:paul')).toEqual({ data: [], total: 0, more: false });
    expect((await search('admin', 'from:paul')).total).toBe(5);
  });

  it('finds a series once', async () => {
    const { data, total } = await search('invitee', 'standup');
    expect({ total, isRecurring: data.map(({ isRecurring }) => isRecurring) }).toEqual({
      total: 1,
      isRecurring: [true],
    });
  });

  it('tolerates typos in titles that the user can see, if nothing matches', async () => {
    expect(await findTitles('invitee', 'standpu')).toEqual(['Weekly standup']);
    expect(await findTitles('stranger', 'standpu')).toEqual([]);
  });

  it('finds decisions of closed meetings', async () => {
    const { service } = meetings;
    await service.query(
      `insert into decisions (id, meeting_id, position, text, state)
       select repeat('d', 24), id, 0, 'Replace the gangway', 'standalone' from meetings where title = 'Planning'`,
    );
    const { data } = await search('invitee', 'gangway');
    expect(data.map(({ title, snippet }) => [toText(title), toText(snippet ?? [])])).toEqual([
      ['Planning', 'Ferry timetable for Åland Replace the gangway'],
    ]);
    expect(await findTitles('stranger', 'gangway')).toEqual([]);
  });

  it('no longer finds a meeting once the user is removed', async () => {
    await meetings.service.query(
      `delete from participants where user_id = $1 and meeting_id in (select id from meetings where title = 'Planning')`,
      [meetings.users.invitee._id],
    );
    expect((await search('invitee', 'gangway')).total).toBe(0);
  });
});

it('a search of meetings rejects long queries and anonymous callers', async () => {
  const { service, users } = meetings;
  expect((await service.call('GET', `/meetings/search?q=${'x'.repeat(501)}`, { as: users.invitee })).status).toBe(400);
  expect((await service.call('GET', '/meetings/search?q=x')).status).toBe(401);
});
