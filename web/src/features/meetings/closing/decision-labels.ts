import type { Closing, Decision } from '@atrium/proto-events/http/after-meeting/closing';
import type { PillTone } from '../../../ui/pill.tsx';

type Words = { label: string; tone: PillTone };

const TASK: Record<string, Words> = {
  todo: { label: 'To do', tone: 'neutral' },
  'in-progress': { label: 'In progress', tone: 'info' },
  review: { label: 'In review', tone: 'warning' },
};

export function decisionWords({ state, isDone, task }: Decision): Words {
  if (isDone) return { label: 'Done', tone: 'success' };
  if (state === 'task') return TASK[task?.status ?? ''] ?? { label: 'To do', tone: 'neutral' };
  if (state === 'sent') return { label: 'Creating task', tone: 'info' };
  if (state === 'refused') return { label: 'No task', tone: 'danger' };
  if (state === 'gone') return { label: 'Task deleted', tone: 'warning' };
  return { label: 'Open', tone: 'neutral' };
}

/** The state of the summary in the project's conversation; undefined if there is nothing to report. */
export function postWords(post: Closing['post']): string | undefined {
  if (!post || post.state === 'none') return undefined;
  if (post.state === 'sent') return 'The summary is being posted to the project’s conversation.';
  if (post.state === 'refused') return `The summary could not be posted: ${post.refusal}.`;
  return undefined;
}
