import { meetingContentChanged } from '@atrium/proto-events/events/meeting-closing';
import { meetingCancelled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { userDeactivated } from '@atrium/proto-events/events/users';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { buildUser } from '@atrium/test-kit/build-user';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inHours, startMeetings } from './factories.ts';

let api: Awaited<ReturnType<typeof startMeetings>>;
beforeAll(async () => {
  api = await startMeetings({ ALLOW_PAST_MEETINGS: 'true' });
});
afterAll(() => api.service.close());

const addUser = (overrides: Parameters<typeof buildUser>[0] = {}) => {
  const user = buildUser(overrides);
  api.service.addToDirectory(user);
  return user;
};
const schedule = async (as: DirectoryUser, overrides: Record<string, unknown>): Promise<Meeting> => {
  const { status, body } = await api.service.call('POST', '/meetings', { as, body: api.buildBody(overrides) });
  expect(status).toBe(201);
  return body as Meeting;
};
const deactivate = async (user: DirectoryUser, times = 2) => {
  api.service.addToDirectory({ ...user, status: 'inactive', version: 2 });
  const event = { userId: user._id, reason: 'deactivated' as const, version: 2 };
  await api.service.deliver(userDeactivated, event, times, api.users.admin._id);
};
const getMeeting = async (id: string) => (await api.get('admin', id)).body as Meeting;
const getUserIds = ({ participants }: Meeting) => participants.map(({ _id }) => _id);
const weekly = { isRecurring: true, recurringFrequency: 'weekly' };

describe('a guest who was deactivated', () => {
  it('is removed once from upcoming single meetings and occurrences, and stays in past ones', async () => {
    const { invitee, organizer } = api.users;
    const leaving = addUser();
    const participants = [invitee._id, leaving._id];
    const single = await schedule(organizer, { participants });
    const series = await schedule(organizer, {
      participants,
      ...weekly,
      recurringEndDate: inHours(24 * 30).slice(0, 10),
    });
    const seriesWithGuest = await schedule(organizer, { ...weekly, recurringEndDate: inHours(24 * 30).slice(0, 10) });
    await api.patch('organizer', seriesWithGuest._id, { participants });
    const past = await schedule(organizer, { participants, startTime: inHours(-5), endTime: inHours(-4) });
    await deactivate(leaving);

    for (const { _id } of [single, series, seriesWithGuest]) {
      expect(getUserIds(await getMeeting(_id))).toEqual([organizer._id, invitee._id]);
    }
    for (const occurrence of await api.listOccurrences('admin', series.seriesId))
      expect(getUserIds(occurrence)).not.toContain(leaving._id);
    expect(getUserIds(await getMeeting(past._id))).toContain(leaving._id);
    const event = await api.service.waitForEvent(
      meetingUpdated,
      ({ meetingId, removedIds }) => meetingId === single._id && removedIds.length > 0,
    );
    expect(event).toMatchObject({
      actorId: api.users.admin._id,
      data: { removedIds: [leaving._id], addedIds: [], changed: ['participants'], rsvpReset: false, sequence: 1 },
    });
    expect(event.data.previousOrganizerId).toBeUndefined();
    const isOfSeries = ({ seriesId, removedIds }: { seriesId: string | null; removedIds: string[] }) =>
      seriesId === series.seriesId && removedIds.includes(leaving._id);
    expect(api.service.countPublished(meetingUpdated, isOfSeries)).toBe(1);
    api.service.addToDirectory({ ...leaving, version: 3 });
    expect(getUserIds(await getMeeting(single._id))).not.toContain(leaving._id);
  });
});

describe('an agenda with an item of a deactivated user', () => {
  const item = (title: string, who: string | null) => ({ title, minutes: 10, who });
  const listPresenters = async (id: string) =>
    (await getMeeting(id)).agendaItems?.map(({ title, who }) => [title, who?._id ?? null]);

  it('loses the presenter in all upcoming meetings and occurrences, but not in past meetings', async () => {
    const { invitee, organizer } = api.users;
    const leaving = addUser();
    const agendaItems = [item('Welcome', leaving._id), item('Budget', invitee._id), item('Any other business', null)];
    const participants = [invitee._id, leaving._id];
    const single = await schedule(organizer, { participants, agendaItems });
    const uninvited = await schedule(organizer, { agendaItems });
    const series = await schedule(organizer, {
      ...{ participants, agendaItems, ...weekly },
      recurringEndDate: inHours(24 * 30).slice(0, 10),
    });
    const past = await schedule(organizer, { agendaItems, startTime: inHours(-5), endTime: inHours(-4) });
    await deactivate(leaving);

    const clearedItems = [
      ['Welcome', null],
      ['Budget', invitee._id],
      ['Any other business', null],
    ];
    for (const { _id } of [single, uninvited, series]) expect(await listPresenters(_id)).toEqual(clearedItems);
    for (const occurrence of await api.listOccurrences('admin', series.seriesId))
      expect(await listPresenters(occurrence._id)).toEqual(clearedItems);
    expect((await listPresenters(past._id))?.[0]).toEqual(['Welcome', leaving._id]);
    const event = await api.service.waitForEvent(meetingContentChanged, ({ meetingId }) => meetingId === uninvited._id);
    expect(event).toMatchObject({ actorId: api.users.admin._id, data: { changed: ['agendaItems'], version: 2 } });
    const [template] = await api.service.query('select items from series_agendas where series_id = $1', [
      series.seriesId,
    ]);
    expect(JSON.stringify(template)).not.toContain(leaving._id);
  });
});

describe('a meeting of a deactivated organizer', () => {
  it('is handed over to a guest who can schedule meetings', async () => {
    const { invitee, manager } = api.users;
    const leaving = addUser({ role: 'project_manager' });
    const participants = [invitee._id, manager._id];
    const single = await schedule(leaving, { participants });
    const series = await schedule(leaving, {
      participants,
      ...weekly,
      recurringEndDate: inHours(24 * 30).slice(0, 10),
    });
    await deactivate(leaving);
    for (const { _id } of [single, series]) {
      const meeting = await getMeeting(_id);
      expect(meeting.organizer._id).toBe(manager._id);
      expect(meeting.participants.find(({ _id: id }) => id === manager._id)?.responseStatus).toBe('accepted');
      expect(getUserIds(meeting).toSorted()).toEqual(participants.toSorted());
      const event = await api.service.waitForEvent(
        meetingUpdated,
        ({ meetingId, organizerId }) => meetingId === _id || organizerId === manager._id,
      );
      expect(event.data).toMatchObject({ organizerId: manager._id, previousOrganizerId: leaving._id, addedIds: [] });
    }
    for (const occurrence of await api.listOccurrences('admin', series.seriesId))
      expect(occurrence.organizer._id).toBe(manager._id);
  });

  it('is handed over to the administrator who deactivated the account if only members are invited', async () => {
    const { invitee, second, admin } = api.users;
    const leaving = addUser({ role: 'project_manager' });
    const single = await schedule(leaving, { participants: [invitee._id, second._id] });
    await deactivate(leaving);
    const meeting = await getMeeting(single._id);
    expect(meeting.organizer._id).toBe(admin._id);
    expect(getUserIds(meeting).toSorted()).toEqual([admin._id, invitee._id, second._id].toSorted());
  });

  it('is canceled, like a whole series, if at most one other participant is active', async () => {
    const { invitee } = api.users;
    const leaving = addUser({ role: 'project_manager' });
    const single = await schedule(leaving, { participants: [invitee._id] });
    const series = await schedule(leaving, { participants: [invitee._id], ...weekly });
    await deactivate(leaving);
    expect((await api.get('admin', single._id)).status).toBe(404);
    expect(await api.listOccurrences('admin', series.seriesId)).toEqual([]);
    expect(api.service.countPublished(meetingCancelled, ({ organizerId }) => organizerId === leaving._id)).toBe(2);
  });
});
