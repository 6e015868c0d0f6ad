import { MAX_MESSAGE_TASKS } from '@atrium/proto-events/http/chat/messages';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type MessageRow, updateMessage } from './message-repository.ts';

type LinkedTask = { message: MessageRow; taskId: string };

/** Returns no rows if the task is linked already, or if the message has the maximum of tasks. */
export async function addTask(tx: Queryable, { message, taskId }: LinkedTask): Promise<MessageRow[]> {
  if (message.tasks.includes(taskId) || message.tasks.length >= MAX_MESSAGE_TASKS) return [];
  return updateMessage(tx, message, 'tasks = array_append(tasks, $3::text)', taskId);
}

/** Returns no rows if the task is not linked. */
export async function removeTask(tx: Queryable, { message, taskId }: LinkedTask): Promise<MessageRow[]> {
  if (!message.tasks.includes(taskId)) return [];
  return updateMessage(tx, message, 'tasks = array_remove(tasks, $3::text)', taskId);
}
