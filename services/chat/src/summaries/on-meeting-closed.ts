import type { EventOf } from '@atrium/proto-events/event';
import { summaryPosted } from '@atrium/proto-events/events/chat-summaries';
import type { meetingClosed } from '@atrium/proto-events/events/meeting-closing';
import { AppError, unavailable } from '@atrium/service-kit/errors/app-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { projectConversationId } from '../conversations/conversation-id.ts';
import { lockConversation } from '../conversations/conversation-repository.ts';
import { isClosed } from '../conversations/project-repository.ts';
import { syncProjectConversation } from '../conversations/sync-project-conversation.ts';
import type { Deps } from '../deps.ts';
import { insertMessage } from '../messages/message-repository.ts';
import { persistAndBroadcast } from '../messages/send-message.ts';
import { type Closed, summaryMessage } from './summary-message.ts';

/** A new project may not have reached this pod yet. */
const PROJECT_WAIT_MS = 2_000;
const NO_CONVERSATION = 'The project has no conversation';
const NO_PROJECT = 'Project not found';
const NOT_MEMBER = 'Only project members can post a summary in the conversation of the project';

/**
 * Posts the summary of a closed meeting in its project's conversation, once, with the permissions of the user who closed it. Publishes
 * where it was posted, or why not.
 */
export const postSummary =
  (deps: Deps) =>
  async ({ data }: EventOf<typeof meetingClosed>): Promise<void> => {
    if (data.project === null || !data.post) return;
    const closed = { ...data, project: data.project };
    const reason = await post(deps, closed);
    if (reason === undefined) return;
    await deps.db.transaction((tx) => publishOutcome(tx, closed, { conversationId: null, seq: null, reason }));
  };

type ProjectMeeting = Closed & { project: string };

/** Returns undefined if it was posted, otherwise the reason. */
async function post(deps: Deps, closed: ProjectMeeting): Promise<string | undefined> {
  const conversation = projectConversationId(closed.project);
  if (await isClosed(deps.db, conversation)) return NO_CONVERSATION;
  // The project comes from another stream, which may lag.
  const project = await deps.projects.whenProject(closed.project, PROJECT_WAIT_MS);
  if (!project && !deps.projects.isComplete()) throw unavailable('Projects are not known yet');
  if (!project || project.deleted) return NO_PROJECT;
  if (project.managerId !== closed.closedBy && !project.memberIds.includes(closed.closedBy)) return NOT_MEMBER;
  await syncProjectConversation(deps, { ...project, projectId: project._id }, { actorId: null, createdBy: null });
  return (await isPosted(deps, closed, conversation)) ? undefined : NO_CONVERSATION;
}

async function isPosted(deps: Deps, closed: ProjectMeeting, conversation: string): Promise<boolean> {
  const { message, event } = summaryMessage(closed, conversation);
  const insert = () =>
    deps.db.transaction(async (tx) => {
      await lockConversation(tx, conversation);
      const sent = await insertMessage(tx, message, event);
      if (sent && !sent.repeated)
        await publishOutcome(tx, closed, { conversationId: conversation, seq: sent.seq, reason: null });
      return sent;
    });
  try {
    await persistAndBroadcast(deps, { insert });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}

type Outcome = { conversationId: string | null; seq: number | null; reason: string | null };

const publishOutcome = (tx: Queryable, { meetingId, closingId, project }: ProjectMeeting, outcome: Outcome) =>
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
