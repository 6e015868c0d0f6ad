import { summaryPosted } from '@atrium/proto-events/events/chat';
import {
  decisionMade,
  meetingClosed,
  meetingContentChanged,
  meetingReopened,
} from '@atrium/proto-events/events/meeting-closing';
import { decisionResolved, projectDeleted, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import type { Closing, Decision } from '@atrium/proto-events/http/meetings/closing';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { newId } from '@atrium/service-kit/process/new-id';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inHours, startMeetings, type TestUserName } from './factories.ts';

const UNKNOWN = 'f'.repeat(24);
let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings({ ALLOW_PAST_MEETINGS: 'true' });
});
afterAll(() => api.service.close());

const call = (as: TestUserName | undefined, method: string, path: string, body?: unknown, key?: string) =>
  api.service.call(method, path, {
    ...(as && { as: api.users[as] }),
    ...(body !== undefined && { body }),
    ...(key && { headers: { 'idempotency-key': key } }),
  });
const close = (as: TestUserName, id: string, body: unknown, key?: string) =>
  call(as, 'POST', `/meetings/${id}/close`, body, key);
const readClosing = async (id: string, as: TestUserName = 'invitee') =>
  (await call(as, 'GET', `/meetings/${id}/closing`)).body as Closing;
const schedulePastMeeting = (overrides: Record<string, unknown> = {}) =>
  api.scheduleMeeting({ startTime: inHours(-2), ...overrides });
const scheduleProjectMeeting = () => schedulePastMeeting({ project: api.addProject() });
const CLOSING_BODY = { summary: 'We ship.', decisions: [{ text: 'Ship the portal' }, { text: 'Tell support' }] };

async function closeProjectMeeting(
  overrides: Record<string, unknown> = {},
): Promise<{ meeting: Meeting; closing: Closing }> {
  const meeting = await scheduleProjectMeeting();
  const { status, body } = await close('organizer', meeting._id, { ...CLOSING_BODY, ...overrides });
  expect(status).toBe(201);
  return { meeting, closing: body as Closing };
}
const getFirstDecision = (closing: Closing): Decision => closing.decisions[0] as Decision;
const changeDecision = (as: TestUserName, meeting: Meeting, decision: string, body: unknown) =>
  call(as, 'PATCH', `/meetings/${meeting._id}/decisions/${decision}`, body);

const resolvedEvent = (decision: Decision, meeting: Meeting, overrides: Record<string, unknown> = {}) => ({
  decisionId: decision._id,
  attempt: 1,
  meetingId: meeting._id,
  projectId: meeting.project ?? '',
  outcome: 'made' as const,
  taskId: newId(),
  status: 'todo',
  version: 1,
  reason: null,
  ...overrides,
});
const rejectionFields = (reason: string) => ({
  outcome: 'rejected' as const,
  taskId: null,
  status: null,
  version: 0,
  reason,
});

describe('POST /meetings/:id/close', () => {
  it('saves notes, summary, and decisions, and publishes the closing and the decision once', async () => {
    const meeting = await scheduleProjectMeeting();
    const body = {
      ...CLOSING_BODY,
      notes: { base: '', text: 'All were there.' },
      decisions: [{ text: 'Ship the portal', assignedTo: api.users.invitee._id, dueDate: '2030-05-01' }],
    };
    const responses = await Promise.all([
      close('organizer', meeting._id, body, 'once'),
      close('organizer', meeting._id, body, 'once'),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    expect(responses[0]?.body).toEqual(responses[1]?.body);
    expect(responses[0]?.body).toMatchObject({
      closedBy: { firstName: 'Paul' },
      post: { state: 'requested' },
      decisions: [
        {
          text: 'Ship the portal',
          assignedTo: { firstName: 'Mia' },
          dueDate: '2030-05-01T00:00:00.000Z',
          state: 'requested',
          isDone: false,
          abilities: { settle: false, tryAgain: false },
        },
      ],
      abilities: { close: false, writeNotes: true },
    });
    expect((await api.get('invitee', meeting._id)).body).toMatchObject({
      notes: 'All were there.',
      summary: 'We ship.',
      version: 2,
    });
    const event = await api.service.waitForEvent(meetingClosed, ({ meetingId }) => meetingId === meeting._id);
    expect(event.data).toMatchObject({ project: meeting.project, summary: 'We ship.', post: true, version: 2 });
    const request = await api.service.waitForEvent(decisionMade, ({ meetingId }) => meetingId === meeting._id);
    expect(request.data).toMatchObject({
      attempt: 1,
      project: meeting.project,
      madeBy: api.users.organizer._id,
      assignedTo: api.users.invitee._id,
      dueDate: '2030-05-01T00:00:00.000Z',
    });
    expect(api.service.countPublished(decisionMade, ({ meetingId }) => meetingId === meeting._id)).toBe(1);
    expect(api.service.countPublished(meetingClosed, ({ meetingId }) => meetingId === meeting._id)).toBe(1);
    const second = await close('admin', meeting._id, body);
    expect(second).toMatchObject({ status: 409, body: { message: 'This meeting has been closed already' } });
  });

  it('keeps the decisions of a meeting without a project standalone', async () => {
    const meeting = await schedulePastMeeting();
    const { body } = await close('organizer', meeting._id, CLOSING_BODY);
    expect(body).toMatchObject({
      post: { state: 'none' },
      decisions: [{ state: 'standalone' }, { state: 'standalone' }],
    });
    const event = await api.service.waitForEvent(meetingClosed, ({ meetingId }) => meetingId === meeting._id);
    expect(event.data).toMatchObject({ project: null, post: false });
    expect(api.service.countPublished(decisionMade, ({ meetingId }) => meetingId === meeting._id)).toBe(0);
  });

  it('merges notes that other users wrote in the meantime', async () => {
    const meeting = await schedulePastMeeting();
    await api.patch('admin', meeting._id, { notes: "Ada's notes" });
    await close('organizer', meeting._id, { notes: { base: '', text: "Paul's notes" } });
    expect((await api.get('organizer', meeting._id)).body).toMatchObject({ notes: "Ada's notes\nPaul's notes" });
  });

  it('rejects callers who cannot add notes, and meetings that have not started', async () => {
    const meeting = await schedulePastMeeting();
    expect((await close('invitee', meeting._id, {})).body).toMatchObject({
      message: 'Only Admin and Project Manager can close meetings',
    });
    expect((await close('manager', meeting._id, {})).status).toBe(404);
    expect((await call(undefined, 'POST', `/meetings/${meeting._id}/close`, {})).status).toBe(401);
    const upcoming = await api.scheduleMeeting();
    expect(await close('organizer', upcoming._id, {})).toMatchObject({
      status: 409,
      body: { message: 'A meeting can be closed once it has started' },
    });
    expect((await readClosing(upcoming._id, 'organizer')).abilities.close).toBe(false);
    const running = await api.scheduleMeeting({ startTime: inHours(-1), endTime: inHours(1) });
    expect((await readClosing(running._id, 'organizer')).abilities.close).toBe(true);
    expect((await close('organizer', running._id, {})).status).toBe(201);
  });

  it.each([
    ['a decision without text', { decisions: [{ text: ' ' }] }, 'A decision needs text'],
    [
      'an unknown assignee',
      { decisions: [{ text: 'x', assignedTo: UNKNOWN }] },
      'Decisions can be assigned to active users only',
    ],
    [
      'more than 30 decisions',
      { decisions: Array.from({ length: 31 }, () => ({ text: 'x' })) },
      'A meeting can have at most 30 decisions',
    ],
    ['a summary that is too long', { summary: 'x'.repeat(3001) }, 'Summary must be at most 3000 characters'],
  ])('rejects %s', async (_name, body, message) => {
    const meeting = await schedulePastMeeting();
    expect(await close('organizer', meeting._id, body)).toMatchObject({ status: 400, body: { message: [message] } });
    expect((await readClosing(meeting._id)).closedAt).toBeNull();
  });
});

describe('a summary edited by two users concurrently', () => {
  const withSummary = (summary: string, version?: number) => ({ summary, decisions: [], ...(version && { version }) });

  it('is not overwritten by closing the meeting with a stale version', async () => {
    const { _id, version } = await scheduleProjectMeeting();
    await api.patch('admin', _id, { summary: "Ada's summary", version });
    const rejected = await close('organizer', _id, withSummary("Paul's summary", version), 'one-key');
    expect(rejected).toMatchObject({
      status: 409,
      body: { code: 'stale_version', current: { _id, summary: "Ada's summary", version: version + 1 } },
    });
    expect((await readClosing(_id)).closedAt).toBeNull();
    // The version that contains Ada's summary allows overwriting it.
    expect((await close('organizer', _id, withSummary("Paul's summary", version + 1), 'one-key')).status).toBe(201);
    expect((await api.get('organizer', _id)).body).toMatchObject({ summary: "Paul's summary" });
    // The browser retries after a lost response, based on the version that the closing created.
    expect((await close('organizer', _id, withSummary("Paul's summary", version + 2), 'one-key')).status).toBe(201);
  });

  it('does not prevent closing the meeting with a stale version if no summary would be lost', async () => {
    const write = (id: string, text: string) => call('admin', 'PUT', `/meetings/${id}/notes`, { base: '', text });
    const first = await scheduleProjectMeeting();
    await write(first._id, 'All were there.');
    expect((await close('organizer', first._id, withSummary('We ship.', first.version))).status).toBe(201);
    const second = await scheduleProjectMeeting();
    await api.patch('admin', second._id, { summary: 'We ship.' });
    expect((await close('organizer', second._id, withSummary('We ship.', second.version))).status).toBe(201);
    const third = await scheduleProjectMeeting();
    await api.patch('admin', third._id, { summary: "Ada's summary" });
    expect((await close('organizer', third._id, { decisions: [], version: third.version })).status).toBe(201);
    expect((await api.get('organizer', third._id)).body).toMatchObject({ summary: "Ada's summary" });
    // A body without a version is not compared.
    const fourth = await scheduleProjectMeeting();
    await api.patch('admin', fourth._id, { summary: "Ada's summary" });
    expect((await close('organizer', fourth._id, withSummary("Paul's summary"))).status).toBe(201);
  });
});

describe('a meeting closed before its end', () => {
  const AT = { startTime: inHours(-1), endTime: inHours(1) };

  it('cannot be deleted or moved, and keeps its decisions', async () => {
    const running = await api.scheduleMeeting(AT);
    expect(running.abilities.delete).toBe(true);
    await close('organizer', running._id, CLOSING_BODY);
    expect(await api.remove('organizer', running._id)).toMatchObject({
      status: 409,
      body: { message: 'A closed meeting cannot be deleted' },
    });
    expect(await api.patch('organizer', running._id, { startTime: inHours(3), endTime: inHours(4) })).toMatchObject({
      status: 409,
      body: { message: 'A closed meeting cannot be moved' },
    });
    const after = (await api.patch('organizer', running._id, { title: 'Renamed', ...AT })).body as Meeting;
    expect(after).toMatchObject({ title: 'Renamed', startTime: running.startTime, abilities: { delete: false } });
    const range = `?from=${inHours(-2)}&to=${inHours(2)}`;
    const { data } = (await call('organizer', 'GET', `/meetings/calendar${range}`)).body as { data: Meeting[] };
    expect(data.find(({ _id }) => _id === running._id)?.abilities.delete).toBe(false);
    expect((await readClosing(running._id)).decisions).toHaveLength(2);
  });

  it('stays in its series when later occurrences are moved or deleted', async () => {
    const first = await api.scheduleMeeting({
      ...AT,
      isRecurring: true,
      recurringFrequency: 'daily',
      recurringEndDate: inHours(24 * 5).slice(0, 10),
    });
    await close('organizer', first._id, CLOSING_BODY);
    for (const scope of ['following', 'all'])
      expect((await api.remove('organizer', first._id, scope)).body).toMatchObject({
        message: 'A closed meeting cannot be deleted',
      });
    const [, second] = await api.listOccurrences('organizer', first.seriesId);
    const hourLater = (at = '') => new Date(Date.parse(at) + 3_600_000).toISOString();
    const change = { startTime: hourLater(second?.startTime), endTime: hourLater(second?.endTime) };
    const moved = await api.patch('organizer', second?._id ?? '', change, 'all');
    expect(moved).toMatchObject({ status: 200, body: { startTime: change.startTime } });
    expect((await api.get('organizer', first._id)).body).toMatchObject({ startTime: first.startTime });
    expect((await api.remove('organizer', second?._id ?? '', 'all')).status).toBe(204);
    expect((await api.get('organizer', first._id)).body).toMatchObject({ startTime: first.startTime });
    expect((await readClosing(first._id)).decisions).toHaveLength(2);
    expect((await api.get('organizer', second?._id ?? '')).status).toBe(404);
  });

  it('keeps its agenda when the agenda of the series changes', async () => {
    const item = (title: string) => ({ title, minutes: 10, who: null });
    const first = await api.scheduleMeeting({
      ...AT,
      isRecurring: true,
      recurringFrequency: 'daily',
      recurringEndDate: inHours(24 * 3).slice(0, 10),
      agendaItems: [item('Discussed')],
    });
    await close('organizer', first._id, CLOSING_BODY);
    const [, second] = await api.listOccurrences('organizer', first.seriesId);
    const listAgendas = async () => {
      const all = await api.listOccurrences('organizer', first.seriesId);
      return [...new Set(all.map(({ agendaItems = [] }) => agendaItems[0]?.title))];
    };
    await api.patch('organizer', second?._id ?? '', { agendaItems: [item('Next')] }, 'all');
    expect(await listAgendas()).toEqual(['Discussed', 'Next']);
    for (const scope of ['following', 'all'])
      await api.patch('organizer', first._id, { agendaItems: [item(scope)] }, scope);
    expect(await listAgendas()).toEqual(['Discussed', 'all']);
  });
});

describe('GET /meetings/:id/closing', () => {
  it('rejects callers who cannot see the meeting', async () => {
    const { meeting } = await closeProjectMeeting();
    expect((await readClosing(meeting._id)).decisions).toHaveLength(2);
    expect((await call('stranger', 'GET', `/meetings/${meeting._id}/closing`)).status).toBe(404);
    expect((await call(undefined, 'GET', `/meetings/${meeting._id}/closing`)).status).toBe(401);
  });
});

describe('the response of a project to a decision', () => {
  it('is shown as a task, and the decision follows the status of the task', async () => {
    const { meeting, closing } = await closeProjectMeeting();
    const decision = getFirstDecision(closing);
    const data = resolvedEvent(decision, meeting);
    await api.service.deliver(decisionResolved, data, 2);
    const read = async () => getFirstDecision(await readClosing(meeting._id));
    expect(await read()).toMatchObject({ state: 'task', isDone: false, task: { _id: data.taskId, status: 'todo' } });
    const isThisMeeting = ({ meetingId }: { meetingId: string }) => meetingId === meeting._id;
    await api.service.waitForEvent(meetingContentChanged, isThisMeeting);
    expect(api.service.countPublished(meetingContentChanged, isThisMeeting)).toBe(1);

    const task = (status: string, version: number) => ({
      taskId: data.taskId,
      projectId: data.projectId,
      title: decision.text,
      status,
      assignedTo: null,
      version,
      progress: 0,
      changed: ['status'],
    });
    await api.service.deliver(taskUpdated, task('done', 3), 2);
    expect(await read()).toMatchObject({ isDone: true, task: { status: 'done' } });
    await api.service.deliver(taskUpdated, task('todo', 2));
    expect(await read()).toMatchObject({ isDone: true });
    await api.service.deliver(taskUpdated, task('review', 4));
    expect(await read()).toMatchObject({ isDone: false, task: { status: 'review' } });
    expect(api.service.countPublished(meetingContentChanged, isThisMeeting)).toBe(3);
    expect(await changeDecision('organizer', meeting, decision._id, { done: true })).toMatchObject({ status: 409 });

    const { version: _version, ...deletedTask } = task('review', 4);
    await api.service.deliver(taskDeleted, { ...deletedTask, version: 5 }, 2);
    expect(await read()).toMatchObject({ state: 'task-deleted', isDone: false, task: null });
  });

  it('is shown if rejected, and the decision can be requested again for another user', async () => {
    const { meeting, closing } = await closeProjectMeeting();
    const { _id } = getFirstDecision(closing);
    const reason = 'Tasks can be assigned to project members only';
    await api.service.deliver(
      decisionResolved,
      resolvedEvent(getFirstDecision(closing), meeting, rejectionFields(reason)),
      2,
    );
    expect(getFirstDecision(await readClosing(meeting._id, 'organizer'))).toMatchObject({
      state: 'rejected',
      rejection: reason,
      abilities: { settle: true, tryAgain: true },
    });
    expect(getFirstDecision(await readClosing(meeting._id)).abilities).toEqual({ settle: false, tryAgain: false });
    expect((await changeDecision('invitee', meeting, _id, { tryAgain: true })).body).toMatchObject({
      message: 'Only Admin and Project Manager can request the task again',
    });
    const retry = { tryAgain: true, assignedTo: api.users.organizer._id };
    const responses = await Promise.all([
      changeDecision('organizer', meeting, _id, retry),
      changeDecision('admin', meeting, _id, retry),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(responses[0]?.body).toMatchObject({
      state: 'requested',
      rejection: null,
      assignedTo: { firstName: 'Paul' },
    });
    await api.service.waitForEvent(decisionMade, ({ decisionId, attempt }) => decisionId === _id && attempt === 2);
    expect(api.service.countPublished(decisionMade, ({ decisionId }) => decisionId === _id)).toBe(2);
    // A late rejection of the first attempt does not affect the second.
    await api.service.deliver(
      decisionResolved,
      resolvedEvent(getFirstDecision(closing), meeting, rejectionFields('late')),
    );
    expect(getFirstDecision(await readClosing(meeting._id)).state).toBe('requested');
    await api.service.deliver(decisionResolved, resolvedEvent(getFirstDecision(closing), meeting, { attempt: 2 }));
    expect(getFirstDecision(await readClosing(meeting._id)).state).toBe('task');
  });

  it('marks all tasks as deleted when the project is deleted', async () => {
    const { meeting, closing } = await closeProjectMeeting();
    for (const decision of closing.decisions)
      await api.service.deliver(decisionResolved, resolvedEvent(decision, meeting));
    await api.service.deliver(projectDeleted, { projectId: meeting.project ?? '', name: 'Portal' }, 2);
    expect((await readClosing(meeting._id)).decisions.map(({ state }) => state)).toEqual([
      'task-deleted',
      'task-deleted',
    ]);
  });

  it('is recorded without a task if the project was deleted first', async () => {
    const { meeting, closing } = await closeProjectMeeting();
    const [accepted, rejected] = closing.decisions as [Decision, Decision];
    await api.service.deliver(projectDeleted, { projectId: meeting.project ?? '', name: 'Portal' }, 2);
    await api.service.deliver(decisionResolved, resolvedEvent(accepted, meeting), 2);
    await api.service.deliver(
      decisionResolved,
      resolvedEvent(rejected, meeting, rejectionFields('There is no such project')),
      2,
    );
    const { decisions } = await readClosing(meeting._id, 'organizer');
    expect(decisions).toMatchObject([
      { state: 'task-deleted', task: null, abilities: { settle: true } },
      { state: 'rejected', rejection: 'There is no such project' },
    ]);
    const isThisMeeting = ({ meetingId }: { meetingId: string }) => meetingId === meeting._id;
    expect(api.service.countPublished(meetingContentChanged, isThisMeeting)).toBe(2);
  });

  it('is ignored for a deleted meeting', async () => {
    const running = await api.scheduleMeeting({
      startTime: inHours(-1),
      endTime: inHours(1),
      project: api.addProject(),
    });
    const { body } = await close('organizer', running._id, CLOSING_BODY);
    await api.service.query('delete from meetings where id = $1', [running._id]);
    await api.service.deliver(decisionResolved, resolvedEvent(getFirstDecision(body as Closing), running));
    expect((await call('organizer', 'GET', `/meetings/${running._id}/closing`)).status).toBe(404);
  });
});

describe('the response of the chat service to a summary', () => {
  const postedEvent = async (meeting: Meeting, overrides: Record<string, unknown> = {}) => ({
    meetingId: meeting._id,
    closingId: (await api.service.waitForEvent(meetingClosed, ({ meetingId }) => meetingId === meeting._id)).data
      .closingId,
    projectId: meeting.project ?? '',
    outcome: 'posted' as const,
    conversationId: 'a'.repeat(24),
    seq: 7,
    reason: null,
    ...overrides,
  });

  it('is shown as the posted message or the reason it was not posted', async () => {
    const { meeting } = await closeProjectMeeting();
    await api.service.deliver(summaryPosted, await postedEvent(meeting), 2);
    expect((await readClosing(meeting._id, 'organizer')).post).toEqual({
      state: 'posted',
      conversation: 'a'.repeat(24),
      seq: 7,
      rejection: null,
    });
    // Users outside the project cannot see its conversation, and do not receive its ids.
    expect((await readClosing(meeting._id, 'invitee')).post).toMatchObject({
      state: 'posted',
      conversation: null,
      seq: null,
    });
    const other = await closeProjectMeeting();
    const rejection = {
      outcome: 'rejected',
      conversationId: null,
      seq: null,
      reason: 'The project has no conversation',
    };
    await api.service.deliver(summaryPosted, await postedEvent(other.meeting, rejection));
    expect((await readClosing(other.meeting._id)).post).toMatchObject({
      state: 'rejected',
      rejection: 'The project has no conversation',
    });
  });
});

describe('closing a meeting of a project without being a member', () => {
  it('posts no summary, reports the reason, and still requests the tasks as the caller', async () => {
    const project = api.addProject({ managerId: api.users.admin._id, memberIds: [api.users.invitee._id] });
    const meeting = await schedulePastMeeting({ project });
    const { body } = await close('organizer', meeting._id, CLOSING_BODY);
    expect(body).toMatchObject({
      post: {
        state: 'rejected',
        conversation: null,
        seq: null,
        rejection: 'Only project members can post a summary in the conversation of the project',
      },
    });
    const isThisMeeting = ({ meetingId }: { meetingId: string }) => meetingId === meeting._id;
    const { data } = await api.service.waitForEvent(meetingClosed, isThisMeeting);
    expect(data.post).toBe(false);
    const task = await api.service.waitForEvent(decisionMade, isThisMeeting);
    expect(task.data.madeBy).toBe(api.users.organizer._id);
    expect(api.service.countPublished(decisionMade, isThisMeeting)).toBe(2);
  });
});

describe('DELETE /meetings/:id/close', () => {
  const reopen = (as: TestUserName | undefined, id: string) => call(as, 'DELETE', `/meetings/${id}/close`);

  it('reopens a meeting for the user who closed it, keeps its decisions, and allows closing it again', async () => {
    const { meeting, closing } = await closeProjectMeeting();
    expect(closing.abilities).toMatchObject({ close: false, reopen: true });
    expect((await readClosing(meeting._id)).abilities.reopen).toBe(false);
    expect((await reopen('organizer', meeting._id)).status).toBe(204);
    const reopened = await readClosing(meeting._id, 'organizer');
    expect(reopened).toMatchObject({ closedAt: null, post: null, abilities: { close: true, reopen: false } });
    expect(reopened.decisions.map(({ _id }) => _id)).toEqual(closing.decisions.map(({ _id }) => _id));
    const { data } = await api.service.waitForEvent(meetingReopened, ({ meetingId }) => meetingId === meeting._id);
    expect(data).toMatchObject({ project: meeting.project, closedBy: api.users.organizer._id });
    const closedAgain = await close('organizer', meeting._id, { decisions: [{ text: 'Third' }] });
    expect(closedAgain).toMatchObject({
      status: 201,
      body: { decisions: { length: 3 }, post: { state: 'requested' } },
    });
    const second = await api.service.waitForEvent(
      meetingClosed,
      ({ meetingId, decisions }) => meetingId === meeting._id && decisions.length === 3,
    );
    expect(second.data.closingId).not.toBe(data.closingId);
    expect(api.service.countPublished(decisionMade, ({ meetingId }) => meetingId === meeting._id)).toBe(3);
    const lateOutcome = { meetingId: meeting._id, projectId: meeting.project ?? '', outcome: 'posted' as const };
    const post = { conversationId: 'a'.repeat(24), seq: 1, reason: null, closingId: data.closingId };
    await api.service.deliver(summaryPosted, { ...lateOutcome, ...post });
    expect((await readClosing(meeting._id, 'organizer')).post).toMatchObject({ state: 'requested', seq: null });
  });

  it('accepts only the user who closed the meeting and administrators, within a day', async () => {
    const meeting = await schedulePastMeeting({ participants: [api.users.invitee._id, api.users.manager._id] });
    expect(await reopen('organizer', meeting._id)).toMatchObject({
      status: 409,
      body: { message: 'This meeting is not closed' },
    });
    await close('organizer', meeting._id, CLOSING_BODY);
    const denied = { message: 'Only Admin and the person who closed this meeting can reopen it' };
    for (const who of ['manager', 'invitee'] as const)
      expect(await reopen(who, meeting._id)).toMatchObject({ status: 403, body: denied });
    expect((await reopen('stranger', meeting._id)).status).toBe(404);
    expect((await reopen(undefined, meeting._id)).status).toBe(401);
    expect((await reopen('admin', meeting._id)).status).toBe(204);
    await close('organizer', meeting._id, {});
    const makeOlder = `update closings set closed_at = now() - interval '24 hours 1 second' where meeting_id = $1`;
    await api.service.query(makeOlder, [meeting._id]);
    expect((await readClosing(meeting._id, 'organizer')).abilities.reopen).toBe(false);
    expect(await reopen('admin', meeting._id)).toMatchObject({
      status: 409,
      body: { message: 'A meeting can be reopened within a day after it was closed' },
    });
  });
});

describe('PATCH /meetings/:id/decisions/:decisionId', () => {
  it('settles decisions without a task, for managers and the assignee', async () => {
    const meeting = await schedulePastMeeting({ participants: [api.users.invitee._id, api.users.second._id] });
    const { body } = await close('organizer', meeting._id, {
      decisions: [{ text: 'Bring cake', assignedTo: api.users.second._id }],
    });
    const { _id } = getFirstDecision(body as Closing);
    expect((await changeDecision('invitee', meeting, _id, { done: true })).body).toMatchObject({
      message: 'Only Admin, Project Manager, and the assignee can change a decision',
    });
    expect((await changeDecision('second', meeting, _id, { done: true })).body).toMatchObject({
      isDone: true,
      state: 'standalone',
    });
    expect((await changeDecision('organizer', meeting, _id, { done: false })).body).toMatchObject({ isDone: false });
    expect(await changeDecision('organizer', meeting, _id, { tryAgain: true })).toMatchObject({
      status: 409,
      body: { message: 'This meeting belonged to no project when it was closed' },
    });
    expect((await changeDecision('organizer', meeting, _id, { tryAgain: true, assignedTo: UNKNOWN })).status).toBe(400);
    expect((await changeDecision('organizer', meeting, UNKNOWN, { done: true })).status).toBe(404);
    expect((await changeDecision('stranger', meeting, _id, { done: true })).status).toBe(404);
    const path = `/meetings/${meeting._id}/decisions/${_id}`;
    expect((await call(undefined, 'PATCH', path, { done: true })).status).toBe(401);
  });
});

describe('GET /meetings/decisions', () => {
  it('lists the open decisions of visible meetings, optionally of one project', async () => {
    const ownApi = await startMeetings({ ALLOW_PAST_MEETINGS: 'true' });
    const list = async (as: TestUserName, query = '') => {
      const { body } = await ownApi.service.call('GET', `/meetings/decisions?limit=100${query}`, {
        as: ownApi.users[as],
      });
      const { data, total } = body as { data: Decision[]; total: number };
      return { texts: data.map(({ text }) => text), total };
    };
    const closeWith = async (meeting: Meeting, ...texts: string[]) => {
      const body = { decisions: texts.map((text) => ({ text })) };
      const options = { as: ownApi.users.organizer, body };
      return (await ownApi.service.call('POST', `/meetings/${meeting._id}/close`, options)).body as Closing;
    };
    const project = ownApi.addProject();
    const older = await ownApi.scheduleMeeting({ startTime: inHours(-30), project });
    const newer = await ownApi.scheduleMeeting({ startTime: inHours(-20), participants: [ownApi.users.second._id] });
    await closeWith(older, 'One', 'Two');
    const closing = await closeWith(newer, 'Three');
    expect(await list('organizer')).toEqual({ texts: ['Three', 'One', 'Two'], total: 3 });
    expect(await list('admin')).toEqual({ texts: ['Three', 'One', 'Two'], total: 3 });
    expect(await list('invitee')).toEqual({ texts: ['One', 'Two'], total: 2 });
    expect(await list('stranger')).toEqual({ texts: [], total: 0 });
    expect(await list('organizer', `&project=${project}`)).toEqual({ texts: ['One', 'Two'], total: 2 });
    const path = `/meetings/${newer._id}/decisions/${closing.decisions[0]?._id}`;
    await ownApi.service.call('PATCH', path, { as: ownApi.users.organizer, body: { done: true } });
    expect(await list('second')).toEqual({ texts: [], total: 0 });
    expect((await ownApi.service.call('GET', '/meetings/decisions')).status).toBe(401);
    expect((await ownApi.service.call('GET', '/meetings/decisions?project=x', { as: ownApi.users.admin })).status).toBe(
      400,
    );
    await ownApi.service.close();
  });
});
