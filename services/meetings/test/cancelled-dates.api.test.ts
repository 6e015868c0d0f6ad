import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { berlinDay, inHours, type PersonName, startMeetings } from './factories.ts';

let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings({ ALLOW_PAST_MEETINGS: 'true' });
});
afterAll(() => api.service.close());

const daily = (given: Record<string, unknown> = {}) =>
  api.scheduleMeeting({
    startTime: berlinDay(1),
    isRecurring: true,
    recurringFrequency: 'daily',
    recurringEndDate: berlinDay(4).slice(0, 10),
    ...given,
  });
const followLink = (as: PersonName, { _id }: Meeting) => api.get(as, `${_id}?orNext=true`);
const dates = async ({ seriesId }: Meeting) => {
  const [first, second, third, fourth] = await api.occurrences('organizer', seriesId);
  if (!first || !second || !third || !fourth) throw new Error('Series has fewer than four dates');
  return [first, second, third, fourth] as const;
};

describe('the link to a cancelled date of a series', () => {
  it('redirects to the next remaining date on request', async () => {
    const [first, second, third, fourth] = await dates(await daily());
    await api.remove('organizer', first._id);
    expect((await api.get('invitee', first._id)).status).toBe(404);
    expect(await followLink('invitee', first)).toMatchObject({ status: 200, body: { _id: second._id } });
    await api.remove('organizer', third._id);
    expect((await followLink('invitee', third)).body).toMatchObject({ _id: fourth._id });
    // The last date, which has a previous one.
    await api.remove('organizer', fourth._id);
    expect((await followLink('invitee', fourth)).body).toMatchObject({ _id: second._id });
    // The link to an existing date leads to itself.
    expect((await followLink('invitee', second)).body).toMatchObject({ _id: second._id });
  });

  it('responds with 404 once the whole series is cancelled', async () => {
    const [first, second] = await dates(await daily());
    await api.remove('organizer', first._id);
    await api.remove('organizer', second._id, 'all');
    expect((await followLink('invitee', first)).status).toBe(404);
    const alone = await api.scheduleMeeting();
    await api.remove('organizer', alone._id);
    expect((await followLink('invitee', alone)).status).toBe(404);
  });

  it('leads users to dates they are invited to, and responds with 404 to others', async () => {
    const [first, , third] = await dates(await daily());
    await api.patch('organizer', third._id, { participants: [api.people.invitee._id, api.people.second._id] });
    await api.remove('organizer', first._id);
    expect((await followLink('second', first)).body).toMatchObject({ _id: third._id });
    expect((await followLink('stranger', first)).status).toBe(404);
    expect((await followLink('admin', first)).status).toBe(200);
    expect(await api.service.call('GET', `/meetings/${first._id}?orNext=true`)).toMatchObject({ status: 401 });
    expect(await api.get('invitee', `${first._id}?orNext=perhaps`)).toMatchObject({ status: 400 });
  });

  it('leads from dates removed by a new recurrence to the remaining ones', async () => {
    const [first, second, third] = await dates(await daily());
    await api.patch('organizer', first._id, { recurringFrequency: 'weekly' }, 'all');
    expect((await followLink('invitee', second)).body).toMatchObject({ _id: first._id });
    expect((await followLink('invitee', third)).body).toMatchObject({ _id: first._id });
  });

  it('leads to the series that continues it', async () => {
    const [first, second, third] = await dates(await daily());
    await api.remove('organizer', first._id);
    const split = await api.patch('organizer', third._id, { title: 'From now on' }, 'following');
    expect((await followLink('invitee', first)).body).toMatchObject({ _id: second._id });
    const next = (split.body as Meeting).seriesId;
    expect(next).not.toBe(second.seriesId);
    const [, fourth] = await api.occurrences('organizer', next);
    await api.remove('organizer', third._id);
    expect((await followLink('invitee', third)).body).toMatchObject({ _id: fourth?._id });
  });

  it('leads to the continuation of a series with past dates', async () => {
    const begun = await daily({ startTime: inHours(-50), recurringEndDate: inHours(100).slice(0, 10) });
    const all = await api.occurrences('organizer', begun.seriesId);
    const coming = all.filter(({ isPast }) => !isPast);
    const [gone, next] = coming;
    await api.remove('organizer', gone?._id ?? '');
    const [startTime, endTime] = [next?.startTime, next?.endTime].map((at) =>
      new Date(Date.parse(at ?? '') + 3_600_000).toISOString(),
    );
    const moved = await api.patch('organizer', next?._id ?? '', { startTime, endTime }, 'all');
    expect((moved.body as Meeting).seriesId).not.toBe(begun.seriesId);
    expect((await followLink('invitee', gone as Meeting)).body).toMatchObject({ _id: next?._id });
  });
});
