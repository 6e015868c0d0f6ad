import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { berlinDay, inHours, startMeetings, type TestUserName } from './factories.ts';

let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings({ ALLOW_PAST_MEETINGS: 'true' });
});
afterAll(() => api.service.close());

const daily = (overrides: Record<string, unknown> = {}) =>
  api.scheduleMeeting({
    startTime: berlinDay(1),
    isRecurring: true,
    recurringFrequency: 'daily',
    recurringEndDate: berlinDay(4).slice(0, 10),
    ...overrides,
  });
const followLink = (as: TestUserName, { _id }: Meeting) => api.get(as, `${_id}?orNext=true`);
const listFour = async ({ seriesId }: Meeting) => {
  const [first, second, third, fourth] = await api.listOccurrences('organizer', seriesId);
  if (!first || !second || !third || !fourth) throw new Error('Series has fewer than four occurrences');
  return [first, second, third, fourth] as const;
};

describe('the link to a canceled occurrence of a series', () => {
  it('leads to the next remaining occurrence on request', async () => {
    const [first, second, third, fourth] = await listFour(await daily());
    await api.remove('organizer', first._id);
    expect((await api.get('invitee', first._id)).status).toBe(404);
    expect(await followLink('invitee', first)).toMatchObject({ status: 200, body: { _id: second._id } });
    await api.remove('organizer', third._id);
    expect((await followLink('invitee', third)).body).toMatchObject({ _id: fourth._id });
    // The last occurrence leads to the previous one.
    await api.remove('organizer', fourth._id);
    expect((await followLink('invitee', fourth)).body).toMatchObject({ _id: second._id });
    // The link to an existing occurrence leads to it.
    expect((await followLink('invitee', second)).body).toMatchObject({ _id: second._id });
  });

  it('responds with 404 once the whole series is canceled', async () => {
    const [first, second] = await listFour(await daily());
    await api.remove('organizer', first._id);
    await api.remove('organizer', second._id, 'all');
    expect((await followLink('invitee', first)).status).toBe(404);
    const single = await api.scheduleMeeting();
    await api.remove('organizer', single._id);
    expect((await followLink('invitee', single)).status).toBe(404);
  });

  it('leads users to occurrences that they are invited to, and responds with 404 to other users', async () => {
    const [first, , third] = await listFour(await daily());
    await api.patch('organizer', third._id, { participants: [api.users.invitee._id, api.users.second._id] });
    await api.remove('organizer', first._id);
    expect((await followLink('second', first)).body).toMatchObject({ _id: third._id });
    expect((await followLink('stranger', first)).status).toBe(404);
    expect((await followLink('admin', first)).status).toBe(200);
    expect(await api.service.call('GET', `/meetings/${first._id}?orNext=true`)).toMatchObject({ status: 401 });
    expect(await api.get('invitee', `${first._id}?orNext=perhaps`)).toMatchObject({ status: 400 });
  });

  it('leads to a remaining occurrence if a new recurrence removed it', async () => {
    const [first, second, third] = await listFour(await daily());
    await api.patch('organizer', first._id, { recurringFrequency: 'weekly' }, 'all');
    expect((await followLink('invitee', second)).body).toMatchObject({ _id: first._id });
    expect((await followLink('invitee', third)).body).toMatchObject({ _id: first._id });
  });

  it('leads to the series that was split off', async () => {
    const [first, second, third] = await listFour(await daily());
    await api.remove('organizer', first._id);
    const split = await api.patch('organizer', third._id, { title: 'From now on' }, 'following');
    expect((await followLink('invitee', first)).body).toMatchObject({ _id: second._id });
    const next = (split.body as Meeting).seriesId;
    expect(next).not.toBe(second.seriesId);
    const [, fourth] = await api.listOccurrences('organizer', next);
    await api.remove('organizer', third._id);
    expect((await followLink('invitee', third)).body).toMatchObject({ _id: fourth?._id });
  });

  it('leads to the continuation of a series with past occurrences', async () => {
    const runningSeries = await daily({ startTime: inHours(-50), recurringEndDate: inHours(100).slice(0, 10) });
    const all = await api.listOccurrences('organizer', runningSeries.seriesId);
    const [removed, next] = all.filter(({ isPast }) => !isPast);
    await api.remove('organizer', removed?._id ?? '');
    const hourLater = (at = '') => new Date(Date.parse(at) + 3_600_000).toISOString();
    const change = { startTime: hourLater(next?.startTime), endTime: hourLater(next?.endTime) };
    const moved = await api.patch('organizer', next?._id ?? '', change, 'all');
    expect((moved.body as Meeting).seriesId).not.toBe(runningSeries.seriesId);
    expect((await followLink('invitee', removed as Meeting)).body).toMatchObject({ _id: next?._id });
  });
});
