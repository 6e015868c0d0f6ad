import type { EventOf } from '@atrium/proto-events/event';
import { summaryPosted } from '@atrium/proto-events/events/chat-summaries';
import type { meetingClosed } from '@atrium/proto-events/events/meeting-closing';
import { AppError, unavailable } from '@atrium/service-kit/http/app-error';
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

/** A project that was made a moment ago. */
const SETTLE_MS = 2_000;
const NO_CONVERSATION = 'The project has no conversation';
const NO_PROJECT = 'Project not found';
const NOT_MEMBER = 'Only project members can post a summary in the conversation of the project';

/**
 * Posts the summary of a closed meeting in the conversation of its project, once, as the person who closed it and with their rights; answers
 * where it is, or why it was not posted.
 */
export const postSummary =
  (deps: Deps) =>
  async ({ data }: EventOf<typeof meetingClosed>): Promise<void> => {
    if (data.project === null || !data.post) return;
    const closed = { ...data, project: data.project };
    const reason = await post(deps, closed);
    if (reason === undefined) return;
    await deps.db.transaction((tx) => answer(tx, closed, { conversationId: null, seq: null, reason }));
  };

type Posted = Closed & { project: string };

/** Undefined once it stands there, else why it cannot. */
async function post(deps: Deps, closed: Posted): Promise<string | undefined> {
  const conversation = projectConversationId(closed.project);
  if (await isClosed(deps.db, conversation)) return NO_CONVERSATION;
  // It is told of by another stream, which may be behind.
  const project = await deps.projects.whenProject(closed.project, SETTLE_MS);
  if (!project && !deps.projects.isComplete()) throw unavailable('Projects are not known yet');
  if (!project || project.deleted) return NO_PROJECT;
  if (project.managerId !== closed.closedBy && !project.memberIds.includes(closed.closedBy)) return NOT_MEMBER;
  await syncProjectConversation(deps, { ...project, projectId: project._id }, { actorId: null, createdBy: null });
  return (await isPosted(deps, closed, conversation)) ? undefined : NO_CONVERSATION;
}

async function isPosted(deps: Deps, closed: Posted, conversation: string): Promise<boolean> {
  const { message, event } = summaryMessage(closed, conversation);
  const insert = () =>
    deps.db.transaction(async (tx) => {
      await lockConversation(tx, conversation);
      const sent = await insertMessage(tx, message, event);
      if (sent && !sent.repeated)
        await answer(tx, closed, { conversationId: conversation, seq: sent.seq, reason: null });
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

type Where = { conversationId: string | null; seq: number | null; reason: string | null };

const answer = (tx: Queryable, { meetingId, closingId, project }: Posted, where: Where) =>
  appendEvent(tx, {
    event: summaryPosted,
    data: { meetingId, closingId, projectId: project, outcome: where.reason === null ? 'posted' : 'refused', ...where },
    aggregate: meetingId,
    actorId: null,
  });
