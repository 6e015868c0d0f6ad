import { messageSent } from '@atrium/proto-events/events/chat';
import { summaryPosted } from '@atrium/proto-events/events/chat-summaries';
import { meetingClosed, meetingReopened } from '@atrium/proto-events/events/meeting-closing';
import { projectCreated } from '@atrium/proto-events/events/projects';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import { projectConversationId } from '../src/conversations/conversation-id.ts';
import { ask } from './factories.ts';
import { people, service } from './running-chat.ts';
import { aChatter } from './sockets.ts';

const facts = (projectId: string) => ({
  projectId,
  name: 'Customer portal',
  status: 'in-progress',
  managerId: people.manager._id,
  memberIds: [people.member._id],
  version: 1,
});
async function buildProject(): Promise<string> {
  const projectId = newId();
  const { name, managerId, memberIds } = facts(projectId);
  service.knowProjects({ _id: projectId, name, managerId, memberIds, deleted: false, version: 1 });
  await service.deliver(projectCreated, { ...facts(projectId), createdBy: people.admin._id });
  return projectId;
}

const closed = (project: string | null, given: Record<string, unknown> = {}) => ({
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
    { decisionId: newId(), text: 'Tell support' },
  ],
  post: true,
  version: 2,
  ...given,
});
const messagesOf = async (project: string) => {
  const path = `/chat/messages?conversation=${projectConversationId(project)}`;
  return (await ask<{ data: Message[] }>(service, people.member, ['GET', path])).data;
};
const answerTo = async ({ meetingId }: { meetingId: string }) =>
  (await service.published(summaryPosted, (data) => data.meetingId === meetingId)).data;

describe('a meeting that is closed', () => {
  it('is posted once in the conversation of its project, as the person who closed it, to everyone there', async () => {
    const project = await buildProject();
    const member = await aChatter(service, people.member);
    const event = closed(project);
    await service.deliver(meetingClosed, event, 2);
    // The same in another event, as after a restored backup.
    await service.deliver(meetingClosed, event);
    const [message, ...others] = await messagesOf(project);
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      seq: 1,
      type: 'text',
      sender: { _id: people.manager._id, firstName: people.manager.firstName },
      content:
        'Summary of “Portal stand-up”, November 21, 2026\n\nWe ship.\n\nDecisions:\n• Ship the portal\n• Tell support',
    });
    expect((await member.hears('message:new')).message).toMatchObject({ seq: 1, type: 'text' });
    expect(member.all('message:new')).toHaveLength(1);
    expect(await answerTo(event)).toMatchObject({
      outcome: 'posted',
      conversationId: projectConversationId(project),
      seq: 1,
    });
    const conversationId = projectConversationId(project);
    expect(service.countPublished(summaryPosted, (data) => data.meetingId === event.meetingId)).toBe(1);
    expect(service.countPublished(messageSent, (data) => data.conversationId === conversationId)).toBe(1);
    const path = `/chat/conversations/${conversationId}`;
    expect(await ask(service, people.manager, ['GET', path])).toMatchObject({ lastSeq: 1, unreadCount: 0 });
  });

  it('is not posted for somebody who is not in the project, also if they take part in its conversation', async () => {
    const project = await buildProject();
    const { ben } = people;
    const guests = `/chat/conversations/${projectConversationId(project)}/participants`;
    await ask(service, people.manager, ['POST', guests, { userId: ben._id }]);
    for (const closedBy of [ben._id, people.stranger._id]) {
      const event = closed(project, { closedBy });
      await service.deliver(meetingClosed, event, 2);
      expect(await answerTo(event)).toMatchObject({
        outcome: 'refused',
        conversationId: null,
        reason: 'Only project members can post a summary in the conversation of the project',
      });
    }
    expect(await messagesOf(project)).toEqual([]);
  });

  it('takes its summary back when it is reopened, and posts another when it is closed again', async () => {
    const project = await buildProject();
    const event = closed(project);
    await service.deliver(meetingClosed, event, 2);
    const { meetingId, closingId, organizerId, participantIds, closedBy } = event;
    const reopened = { meetingId, closingId, organizerId, participantIds, closedBy, project, version: 3 };
    await service.deliver(meetingReopened, reopened, 2);
    await service.deliver(meetingClosed, { ...event, closingId: newId(), summary: 'We ship later.', version: 4 });
    const [first, second, ...more] = await messagesOf(project);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ seq: 1, content: '', deleted: true });
    expect(second?.content).toContain('We ship later.');
  });

  it('waits for no other stream to tell of the project', async () => {
    const project = newId();
    service.knowProjects({
      _id: project,
      name: 'Told late',
      managerId: people.manager._id,
      memberIds: [people.member._id],
      deleted: false,
      version: 1,
    });
    await service.deliver(meetingClosed, closed(project), 2);
    expect(await messagesOf(project)).toHaveLength(1);
    await service.deliver(projectCreated, { ...facts(project), createdBy: people.admin._id });
    expect(await messagesOf(project)).toHaveLength(1);
  });

  it('is said nowhere without a project, and answers why where there is no conversation', async () => {
    const nowhere = closed(null);
    const unknown = closed(newId());
    await service.deliver(meetingClosed, nowhere);
    service.knowProjects();
    await service.deliver(meetingClosed, unknown);
    expect(await answerTo(unknown)).toMatchObject({ outcome: 'refused', seq: null, reason: 'Project not found' });
    expect(service.countPublished(summaryPosted, (data) => data.meetingId === nowhere.meetingId)).toBe(0);
    const project = await buildProject();
    await ask(service, people.admin, ['DELETE', `/chat/conversations/${projectConversationId(project)}`]);
    const late = closed(project);
    await service.deliver(meetingClosed, late);
    expect(await answerTo(late)).toMatchObject({ outcome: 'refused', reason: 'The project has no conversation' });
  });

  it('fits into one message at its longest', async () => {
    const project = await buildProject();
    const text = 'x'.repeat(200);
    const decisions = Array.from({ length: 30 }, () => ({ decisionId: newId(), text }));
    await service.deliver(meetingClosed, closed(project, { title: text, summary: 'y'.repeat(3_000), decisions }));
    const [message] = await messagesOf(project);
    expect(message?.content.length).toBeGreaterThan(9_000);
    expect(message?.content.length).toBeLessThanOrEqual(10_000);
  });
});
