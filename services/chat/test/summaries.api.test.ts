import { messageSent } from '@atrium/proto-events/events/chat';
import { summaryPosted } from '@atrium/proto-events/events/chat-summaries';
import { meetingClosed } from '@atrium/proto-events/events/meeting-closing';
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
async function aProject(): Promise<string> {
  const projectId = newId();
  await service.deliver(projectCreated, { ...facts(projectId), createdBy: people.admin._id });
  return projectId;
}

const closed = (project: string | null, given: Record<string, unknown> = {}) => ({
  meetingId: newId(),
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
  it('is said once in the conversation of its project, by Atrium itself, to all who are there', async () => {
    const project = await aProject();
    const member = await aChatter(service, people.member);
    const event = closed(project);
    await service.deliver(meetingClosed, event, 2);
    // The same in another event, as after a restored backup.
    await service.deliver(meetingClosed, event);
    const [message, ...others] = await messagesOf(project);
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      seq: 1,
      type: 'system',
      sender: { _id: '0'.repeat(24), firstName: 'Atrium', system: true },
      content:
        'Summary of “Portal stand-up”, 21 November 2026\n\nWe ship.\n\nDecisions:\n• Ship the portal\n• Tell support',
      abilities: { edit: false, delete: false },
    });
    expect((await member.hears('message:new')).message).toMatchObject({ seq: 1, type: 'system' });
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
    expect(await ask(service, people.manager, ['GET', path])).toMatchObject({ lastSeq: 1, unreadCount: 1 });
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
    const project = await aProject();
    await ask(service, people.admin, ['DELETE', `/chat/conversations/${projectConversationId(project)}`]);
    const late = closed(project);
    await service.deliver(meetingClosed, late);
    expect(await answerTo(late)).toMatchObject({ outcome: 'refused', reason: 'The project has no conversation' });
  });

  it('fits into one message at its longest', async () => {
    const project = await aProject();
    const text = 'x'.repeat(200);
    const decisions = Array.from({ length: 30 }, () => ({ decisionId: newId(), text }));
    await service.deliver(meetingClosed, closed(project, { title: text, summary: 'y'.repeat(3_000), decisions }));
    const [message] = await messagesOf(project);
    expect(message?.content.length).toBeGreaterThan(9_000);
    expect(message?.content.length).toBeLessThanOrEqual(10_000);
  });
});
