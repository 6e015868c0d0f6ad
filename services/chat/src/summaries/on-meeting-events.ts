import type { EventOf } from '@atrium/proto-events/event';
import { summaryPosted } from '@atrium/proto-events/events/chat';
import type { meetingClosed, meetingReopened } from '@atrium/proto-events/events/meeting-closing';
import type { MeetingSummary } from '@atrium/proto-events/http/chat/summaries';
import { unavailable } from '@atrium/service-kit/errors/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { deterministicUuid, newId } from '@atrium/service-kit/process/new-id';
import { syncProjectConversation } from '../conversations/on-project-events.ts';
import { isClosed } from '../conversations/project-repository.ts';
import type { Deps } from '../deps.ts';
import { broadcastDiscarded, discardMessage } from '../messages/change-message.ts';
import { newMessage } from '../messages/new-message.ts';
import { broadcastSentMessage } from '../messages/send-message.ts';
import { lockConversation, projectConversationId } from '../model/conversations/conversation-repository.ts';
import { findSentMessage, insertMessage, resolveSendConflicts } from '../model/messages/sending-repository.ts';
import { insertSummary, recordDecisions } from './summary-decisions.ts';

/** A new project may not have reached this pod yet. */
const PROJECT_WAIT_MS = 2_000;
const NO_CONVERSATION = 'The project has no conversation';
const NO_PROJECT = 'Project not found';
const NOT_MEMBER = 'Only project members can post a summary in the conversation of the project';

type ClosedMeeting = EventOf<typeof meetingClosed>['data'];
type ProjectMeeting = ClosedMeeting & { project: string };

/** Posts with the permissions of the user who closed the meeting, and publishes where it was posted or why not. */
export const postSummary =
  (deps: Deps) =>
  async ({ data }: EventOf<typeof meetingClosed>): Promise<void> => {
    if (data.project === null || !data.post) return;
    const closedMeeting = { ...data, project: data.project };
    const reason = (await findRejectionReason(deps, closedMeeting)) ?? (await sendSummary(deps, closedMeeting));
    if (reason === undefined) return;
    await deps.db.transaction((tx) => appendOutcome(tx, closedMeeting, { conversationId: null, seq: null, reason }));
  };

/** Creates the conversation if the project's events are still being processed. */
async function findRejectionReason(deps: Deps, closedMeeting: ProjectMeeting): Promise<string | undefined> {
  if (await isClosed(deps.db, projectConversationId(closedMeeting.project))) return NO_CONVERSATION;
  // The project comes from another stream, which may lag.
  const project = await deps.projects.whenProject(closedMeeting.project, PROJECT_WAIT_MS);
  if (!project && !deps.projects.isComplete()) throw unavailable('Projects are not known yet');
  if (!project || project.deleted) return NO_PROJECT;
  if (project.managerId !== closedMeeting.closedBy && !project.memberIds.includes(closedMeeting.closedBy))
    return NOT_MEMBER;
  await syncProjectConversation(deps, { ...project, projectId: project._id }, { actorId: null, createdBy: null });
  return undefined;
}

async function sendSummary(deps: Deps, closedMeeting: ProjectMeeting): Promise<string | undefined> {
  const conversation = projectConversationId(closedMeeting.project);
  const { message, event } = newMessage({ userId: closedMeeting.closedBy }, newId(), {
    conversation,
    content: summaryText(closedMeeting),
    clientMessageId: summaryMessageId(closedMeeting.closingId),
  });
  const write = async (tx: Queryable) => {
    await lockConversation(tx, conversation);
    const sentMessage = await insertMessage(tx, message, event);
    if (!sentMessage || sentMessage.is_retry) return sentMessage;
    const summary = await buildSummary(tx, message.message_id, closedMeeting);
    await insertSummary(tx, sentMessage, summary);
    await appendOutcome(tx, closedMeeting, { conversationId: conversation, seq: sentMessage.seq, reason: null });
    return { ...sentMessage, summary };
  };
  const sentMessage = await resolveSendConflicts(() => deps.db.transaction(write));
  if (!sentMessage) return NO_CONVERSATION;
  broadcastSentMessage(deps, sentMessage);
  return undefined;
}

async function buildSummary(
  tx: Queryable,
  messageId: string,
  { meetingId, title, startTime, timezone, summary, decisions }: ProjectMeeting,
): Promise<MeetingSummary> {
  const decisionIds = decisions.map(({ decisionId }) => decisionId);
  const tasks = await recordDecisions(tx, messageId, decisionIds);
  return {
    meeting: meetingId,
    title,
    startTime,
    timezone,
    text: summary,
    decisions: decisions.map(({ decisionId, text }) => ({
      _id: decisionId,
      text,
      task: tasks.get(decisionId) ?? null,
    })),
  };
}

type Outcome = { conversationId: string | null; seq: number | null; reason: string | null };

const appendOutcome = (tx: Queryable, { meetingId, closingId, project }: ProjectMeeting, outcome: Outcome) =>
  appendEvent(tx, {
    event: summaryPosted,
    data: {
      meetingId,
      closingId,
      projectId: project,
      outcome: outcome.reason === null ? 'posted' : 'rejected',
      ...outcome,
    },
    aggregate: meetingId,
    actorId: null,
  });

export const removeSummary =
  (deps: Deps) =>
  async ({ data, actorId }: EventOf<typeof meetingReopened>): Promise<void> => {
    if (data.project === null) return;
    const conversation = projectConversationId(data.project);
    const clientMessageId = summaryMessageId(data.closingId);
    const discarded = await deps.db.transaction(async (tx) => {
      const message = await findSentMessage(tx, { conversation, sender: data.closedBy, clientMessageId });
      return message && discardMessage(tx, message, actorId);
    });
    if (discarded) await broadcastDiscarded(deps, discarded);
  };

const summaryMessageId = (closingId: string) => deterministicUuid(`summary:${closingId}`);

/** Fits into a message's 10,000 characters: the title has up to 200, the summary 3,000, 30 decisions 200 each. */
function summaryText({ title, startTime, timezone, summary, decisions }: ClosedMeeting): string {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: timezone }).format(new Date(startTime));
  const decisionLines = decisions.map(({ text }) => `• ${text}`);
  return [
    `Summary of “${title}”, ${day}`,
    ...(summary === '' ? [] : ['', summary]),
    ...(decisionLines.length === 0
      ? []
      : ['', decisionLines.length === 1 ? 'Decision:' : 'Decisions:', ...decisionLines]),
  ].join('\n');
}
