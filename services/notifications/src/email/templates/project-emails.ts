import { isolate } from '@atrium/proto-events/text/isolate';
import type { ContentOf } from './email-content.ts';
import type { EmailLayout } from './email-layout.ts';
import { formatDueDay } from './times.ts';

export function projectAddedEmail({ actor, project, asManager }: ContentOf<'project'>, url: string): EmailLayout {
  const role = asManager ? 'as the project manager' : 'to the project team';
  return {
    subject: `You were added to ${isolate(project.name)}`,
    heading: project.name,
    paragraphs: [
      actor === null ? `You were added ${role}.` : `${isolate(actor)} added you ${role}.`,
      'You now have access to the project’s conversation in Team Chat and to its team documents in the Document Hub.',
    ],
    action: { label: 'Open the project', url },
  };
}

type TaskContent = ContentOf<'task'>;

const STATUS_LABELS: Readonly<Record<string, string>> = {
  todo: 'To do',
  'in-progress': 'In progress',
  review: 'Review',
  done: 'Done',
};
const FIELD_LABELS: Readonly<Record<string, string>> = {
  startDate: 'start date',
  dueDate: 'due date',
  status: 'status',
};
const LIST_FORMAT = new Intl.ListFormat('en-US');

export function taskEmail(content: TaskContent, url: string): EmailLayout {
  const { reason, task, excerpt } = content;
  return {
    // The same for all emails about a task, because some mail programs group only those.
    subject: isolate(task.title),
    heading: task.title,
    paragraphs: [SENTENCES[reason](isolateActor(content))],
    ...(excerpt !== undefined && { message: excerpt }),
    details: createDetails(content),
    action: { label: 'Open the task', url },
  };
}

const isolateActor = (content: TaskContent): TaskContent => ({
  ...content,
  actor: content.actor === null ? null : isolate(content.actor),
});

type Sentence = (content: TaskContent) => string;

const SENTENCES: Record<TaskContent['reason'], Sentence> = {
  assigned: ({ actor }) => (actor === null ? 'This task was assigned to you.' : `${actor} assigned this task to you.`),
  changed: ({ actor, changed = [] }) => {
    const changedFields = LIST_FORMAT.format(changed.map((field) => `the ${FIELD_LABELS[field] ?? field}`));
    if (actor !== null) return `${actor} changed ${changedFields} of this task.`;
    return `${changedFields.replace(/^t/, 'T')} of this task ${changed.length > 1 ? 'were' : 'was'} changed.`;
  },
  commented: ({ actor }) =>
    actor === null ? 'There is a new comment on this task.' : `${actor} commented on this task.`,
};

function createDetails({ reason, project, status, dueDate }: TaskContent): [string, string][] {
  const rows: [string, string][] = project === null ? [] : [['Project', project]];
  if (reason === 'commented') return rows;
  return [
    ...rows,
    ['Due date', dueDate === null ? 'None' : formatDueDay(dueDate)],
    ['Status', STATUS_LABELS[status] ?? status],
  ];
}
