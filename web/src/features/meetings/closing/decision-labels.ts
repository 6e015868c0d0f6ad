import type { Closing, Decision } from '@atrium/proto-events/http/meeting-closing';
import type { PillTone } from '#ui/pill.tsx';

type Label = { label: string; tone: PillTone };

const TASK: Record<string, Label> = {
  todo: { label: 'To do', tone: 'neutral' },
  'in-progress': { label: 'In progress', tone: 'info' },
  review: { label: 'In review', tone: 'warning' },
};

export function decisionLabel({ state, isDone, task }: Decision): Label {
  if (isDone) return { label: 'Done', tone: 'success' };
  if (state === 'task') return TASK[task?.status ?? ''] ?? { label: 'To do', tone: 'neutral' };
  if (state === 'requested') return { label: 'Creating task', tone: 'info' };
  if (state === 'rejected') return { label: 'No task', tone: 'danger' };
  if (state === 'task-deleted') return { label: 'Task deleted', tone: 'warning' };
  return { label: 'Open', tone: 'neutral' };
}

/** The state of the summary in the project's conversation; undefined if there is nothing to report. */
export function postText(post: Closing['post']): string | undefined {
  if (!post || post.state === 'none') return undefined;
  if (post.state === 'requested') return 'The summary is being posted to the project’s conversation.';
  if (post.state === 'rejected') return `The summary could not be posted: ${post.rejection}.`;
  return undefined;
}
