import type { EventOf } from '@atrium/proto-events/event';
import type { decisionResolved } from '@atrium/proto-events/events/projects';
import type { Deps } from '../deps.ts';
import { appendChanges } from '../messages/change-message.ts';
import { broadcastChanges } from '../messages/present-stored-message.ts';
import { lockMessage } from '../model/messages/message-locks.ts';
import { findMessage, NO_VIEWER } from '../model/messages/message-repository.ts';
import { recordTask, updateSummary } from './summary-decisions.ts';

/** Shows the task that a decision became in the summary of its meeting. */
export const linkDecision =
  (deps: Deps) =>
  async ({ data: { decisionId, taskId }, actorId }: EventOf<typeof decisionResolved>): Promise<void> => {
    if (taskId === null) return;
    // Before the transaction, which locks the conversation: a summary locks it before its decisions.
    const messageId = await recordTask(deps.db, decisionId, taskId);
    const changes = await deps.db.transaction(async (tx) => {
      const found = messageId === null ? undefined : await findMessage(tx, messageId, NO_VIEWER);
      const message = found && (await lockMessage(tx, found));
      const isShown = message?.summary?.decisions.some(({ _id, task }) => _id === decisionId && task === taskId);
      if (!message || isShown) return [];
      const rows = await updateSummary(tx, message, { _id: decisionId, task: taskId });
      return appendChanges(tx, rows, 'tasks', actorId);
    });
    await broadcastChanges(deps, changes);
  };
