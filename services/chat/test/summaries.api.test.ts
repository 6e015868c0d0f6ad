import { messageSent, summaryPosted } from '@atrium/proto-events/events/chat';
import { meetingClosed, meetingReopened } from '@atrium/proto-events/events/meeting-closing';
import { decisionResolved } from '@atrium/proto-events/events/projects';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectConversationId } from '../src/model/conversations/conversation-repository.ts';
import { request } from './factories.ts';
import { holdLock, waitForLock } from './locks.ts';
import { deliverCreated } from './project-events.ts';
import { people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

let db: Db;

beforeAll(() => {
  db = createDb(service.env.DATABASE_URL ?? '', 1, createLogger('test', 'silent'));
});
afterAll(() => db.pool.end());

async function buildProject(): Promise<string> {
  const projectId = newId();
  const fields = { name: 'Customer portal', managerId: people.manager._id, memberIds: [people.member._id] };
  service.addProjects({ _id: projectId, ...fields, deleted: false, version: 1 });
  await deliverCreated(projectId, fields, 1);
  return projectId;
}

const buildClosedMeeting = (project: string | null, overrides: Record<string, unknown> = {}) => ({
  meetingId: newId(),
  closingId: newId(),
  title: 'Portal stand-up',
  startTime: '2026-11-20T23:30:00.000Z',
  timezone: 'Europe/Berlin',
  organizerId: people.manager._id,
  participantIds: [people.manager._id],
  project,
  closedBy: people.manager._id,
  summary: 'We ship.',
  decisions: [
    { decisionId: newId(), text: 'Ship the portal' },
    { decisionId: newId(), text: 'Inform support' },
  ],
  post: true,
  version: 2,
  ...overrides,
});
const buildResolved = (
  { meetingId, project }: ReturnType<typeof buildClosedMeeting>,
  decision: { decisionId: string } | undefined,
  taskId: string | null,
) => ({
  decisionId: decision?.decisionId ?? '',
  attempt: 1,
  meetingId,
  projectId: project ?? '',
  outcome: 'made' as const,
  taskId,
  status: taskId && 'todo',
  version: 1,
  reason: null,
});
const listMessages = async (project: string) => {
  const path = `/chat/messages?conversation=${projectConversationId(project)}`;
  return (await request<{ data: Message[] }>(service, people.member, ['GET', path])).data;
};
const findOutcome = async ({ meetingId }: { meetingId: string }) =>
  (await service.waitForEvent(summaryPosted, (data) => data.meetingId === meetingId)).data;

describe('a closed meeting', () => {
  it('posts its summary once in the project conversation, as the user who closed it', async () => {
    const project = await buildProject();
    const member = await connectChat(service, people.member);
    const event = buildClosedMeeting(project);
    await service.deliver(meetingClosed, event, 2);
    // Delivers the same closing in a different event, as after restoring a backup.
    await service.deliver(meetingClosed, event);
    const [message, ...otherMessages] = await listMessages(project);
    expect(otherMessages).toEqual([]);
    expect(message).toMatchObject({
      seq: 1,
      type: 'summary',
      summary: {
        meeting: event.meetingId,
        title: 'Portal stand-up',
        startTime: '2026-11-20T23:30:00.000Z',
        timezone: 'Europe/Berlin',
        text: 'We ship.',
        decisions: event.decisions.map(({ decisionId, text }) => ({ _id: decisionId, text, task: null })),
      },
      sender: { _id: people.manager._id, firstName: people.manager.firstName },
      content:
        'Summary of “Portal stand-up”, November 21, 2026\n\nWe ship.\n\nDecisions:\n• Ship the portal\n• Inform support',
    });
    expect((await member.receives('message:new')).message).toMatchObject({ seq: 1, type: 'summary' });
    expect(member.all('message:new')).toHaveLength(1);
    expect(await findOutcome(event)).toMatchObject({
      outcome: 'posted',
      conversationId: projectConversationId(project),
      seq: 1,
    });
    const conversationId = projectConversationId(project);
    expect(service.countPublished(summaryPosted, (data) => data.meetingId === event.meetingId)).toBe(1);
    expect(service.countPublished(messageSent, (data) => data.conversationId === conversationId)).toBe(1);
    const path = `/chat/conversations/${conversationId}`;
    expect(await request(service, people.manager, ['GET', path])).toMatchObject({ lastSeq: 1, unreadCount: 0 });
  });

  it('posts no summary if the user who closed it is not a project member, even if they are a guest', async () => {
    const project = await buildProject();
    const { ben } = people;
    const guests = `/chat/conversations/${projectConversationId(project)}/participants`;
    await request(service, people.manager, ['POST', guests, { userId: ben._id }]);
    for (const closedBy of [ben._id, people.stranger._id]) {
      const event = buildClosedMeeting(project, { closedBy });
      await service.deliver(meetingClosed, event, 2);
      expect(await findOutcome(event)).toMatchObject({
        outcome: 'rejected',
        conversationId: null,
        reason: 'Only project members can post a summary in the conversation of the project',
      });
    }
    expect(await listMessages(project)).toEqual([]);
  });

  it('deletes its summary when reopened, and posts a new one when closed again', async () => {
    const project = await buildProject();
    const event = buildClosedMeeting(project);
    await service.deliver(meetingClosed, event, 2);
    const { meetingId, closingId, organizerId, participantIds, closedBy } = event;
    const reopened = { meetingId, closingId, organizerId, participantIds, closedBy, project, version: 3 };
    await service.deliver(meetingReopened, reopened, 2);
    await service.deliver(meetingClosed, { ...event, closingId: newId(), summary: 'We ship later.', version: 4 });
    const [firstMessage, secondMessage, ...otherMessages] = await listMessages(project);
    expect(otherMessages).toEqual([]);
    expect(firstMessage).toMatchObject({ seq: 1, content: '', deleted: true });
    expect(secondMessage?.content).toContain('We ship later.');
  });

  it('shows the tasks of its decisions, whether they are created before or after the summary', async () => {
    const project = await buildProject();
    const event = buildClosedMeeting(project);
    const [first, second] = event.decisions;
    const [firstTask, secondTask] = [newId(), newId()];
    await service.deliver(decisionResolved, buildResolved(event, first, firstTask));
    await service.deliver(meetingClosed, event);
    const member = await connectChat(service, people.member);
    await service.deliver(decisionResolved, buildResolved(event, second, secondTask), 2);
    expect(await member.receives('message:updated')).toMatchObject({
      revision: 1,
      message: { type: 'summary', summary: { decisions: [{ task: firstTask }, { task: secondTask }] }, editedAt: null },
    });
    await service.deliver(decisionResolved, { ...buildResolved(event, second, null), outcome: 'rejected' });
    expect((await listMessages(project))[0]?.summary?.decisions.map(({ task }) => task)).toEqual([
      firstTask,
      secondTask,
    ]);
  });

  it('does not wait for the task of a decision that waits for its conversation', async () => {
    const project = await buildProject();
    const event = buildClosedMeeting(project);
    await service.deliver(meetingClosed, event);
    const [decision] = event.decisions;
    const task = newId();
    const release = await holdLock(db, 'select from conversations where conversation_id = $1 for no key update', [
      projectConversationId(project),
    ]);
    const resolved = service.deliver(decisionResolved, buildResolved(event, decision, task));
    await waitForLock(service);
    const lock = 'select task_id from summary_decisions where decision_id = $1 for update nowait';
    expect(await service.query(lock, [decision?.decisionId])).toEqual([{ task_id: task }]);
    await release();
    await resolved;
    expect((await listMessages(project))[0]?.summary?.decisions[0]?.task).toBe(task);
  });

  it('is a text once its content is edited, and no task changes it', async () => {
    const project = await buildProject();
    const event = buildClosedMeeting(project);
    await service.deliver(meetingClosed, event);
    const [message] = await listMessages(project);
    const body = { content: 'We ship tomorrow.' };
    expect(
      await request<Message>(service, people.manager, ['PATCH', `/chat/messages/${message?._id}`, body]),
    ).toMatchObject({ type: 'text', summary: null, content: 'We ship tomorrow.' });
    await service.deliver(decisionResolved, buildResolved(event, event.decisions[0], newId()));
    expect((await listMessages(project))[0]).toMatchObject({ type: 'text', summary: null });
  });

  it('posts its summary before the project event arrives', async () => {
    const project = newId();
    service.addProjects({
      _id: project,
      name: 'Late event',
      managerId: people.manager._id,
      memberIds: [people.member._id],
      deleted: false,
      version: 1,
    });
    await service.deliver(meetingClosed, buildClosedMeeting(project), 2);
    expect(await listMessages(project)).toHaveLength(1);
    await deliverCreated(project, { memberIds: [people.member._id] }, 1);
    expect(await listMessages(project)).toHaveLength(1);
  });

  it('posts nothing without a project, and publishes the reason if there is no conversation', async () => {
    const withoutProject = buildClosedMeeting(null);
    const unknownProject = buildClosedMeeting(newId());
    await service.deliver(meetingClosed, withoutProject);
    service.addProjects();
    await service.deliver(meetingClosed, unknownProject);
    expect(await findOutcome(unknownProject)).toMatchObject({
      outcome: 'rejected',
      seq: null,
      reason: 'Project not found',
    });
    expect(service.countPublished(summaryPosted, (data) => data.meetingId === withoutProject.meetingId)).toBe(0);
    const project = await buildProject();
    await request(service, people.admin, ['DELETE', `/chat/conversations/${projectConversationId(project)}`]);
    const withoutConversation = buildClosedMeeting(project);
    await service.deliver(meetingClosed, withoutConversation);
    expect(await findOutcome(withoutConversation)).toMatchObject({
      outcome: 'rejected',
      reason: 'The project has no conversation',
    });
  });

  it('posts a summary of maximum length as a single message', async () => {
    const project = await buildProject();
    const text = 'x'.repeat(200);
    const decisions = Array.from({ length: 30 }, () => ({ decisionId: newId(), text }));
    await service.deliver(
      meetingClosed,
      buildClosedMeeting(project, { title: text, summary: 'y'.repeat(3_000), decisions }),
    );
    const [message] = await listMessages(project);
    expect(message?.content.length).toBeGreaterThan(9_000);
    expect(message?.content.length).toBeLessThanOrEqual(10_000);
  });
});
