import { isolate } from '@atrium/proto-events/text/isolate';
import type { TaskContent } from './email-content.ts';
import type { EmailLayout } from './render-email.ts';

type ProjectAddedParams = { actor: string | null; projectName: string; asManager: boolean; url: string };

export function projectAddedEmail({ actor, projectName, asManager, url }: ProjectAddedParams): EmailLayout {
  const role = asManager ? 'as the project manager' : 'to the project team';
  return {
    subject: `You were added to ${isolate(projectName)}`,
    heading: projectName,
    paragraphs: [
      actor === null ? `You were added ${role}.` : `${isolate(actor)} added you ${role}.`,
      'You now have access to the project’s conversation in Team Chat and to its team documents in the Document Hub.',
    ],
    action: { label: 'Open the project', url },
    footnote: 'You received this email because you are now a member of this project.',
  };
}

type TaskEmailParams = { content: TaskContent; url: string };

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
const LIST = new Intl.ListFormat('en-US');

const REASONS: Record<TaskContent['reason'], string> = {
  assigned: 'this task is assigned to you',
  changed: 'this task is assigned to you',
  commented: 'you created this task, are assigned to it, commented on it, or were mentioned',
};

export function taskEmail({ content, url }: TaskEmailParams): EmailLayout {
  const { reason, task, excerpt } = content;
  const isolated = isolateNames(content);
  return {
    subject: SUBJECTS[reason](isolated),
    heading: task.title,
    paragraphs: [SENTENCES[reason](isolated)],
    facts: facts(content),
    quotes: excerpt === undefined ? [] : [['Comment', excerpt]],
    action: { label: 'Open the task', url },
    footnote: `You received this email because ${REASONS[reason]}. You can turn off emails about tasks in Account Settings.`,
  };
}

const isolateNames = (content: TaskContent): TaskContent => ({
  ...content,
  actor: content.actor === null ? null : isolate(content.actor),
  task: { ...content.task, title: isolate(content.task.title) },
});

type Sentence = (content: TaskContent) => string;

const SUBJECTS: Record<TaskContent['reason'], Sentence> = {
  assigned: ({ actor, task }) =>
    actor === null ? `You were assigned a task: ${task.title}` : `${actor} assigned you a task: ${task.title}`,
  changed: ({ task }) => `Task updated: ${task.title}`,
  commented: ({ task }) => `New comment on ${task.title}`,
};

const SENTENCES: Record<TaskContent['reason'], Sentence> = {
  assigned: ({ actor }) => (actor === null ? 'This task was assigned to you.' : `${actor} assigned this task to you.`),
  changed: ({ actor, changed = [] }) => {
    const what = LIST.format(changed.map((field) => `the ${FIELD_LABELS[field] ?? field}`));
    if (actor !== null) return `${actor} changed ${what} of this task.`;
    return `${what.replace(/^t/, 'T')} of this task ${changed.length > 1 ? 'were' : 'was'} changed.`;
  },
  commented: ({ actor }) =>
    actor === null ? 'There is a new comment on this task.' : `${actor} commented on this task.`,
};

function facts({ reason, project, status, dueDate }: TaskContent): [string, string][] {
  const rows: [string, string][] = project === null ? [] : [['Project', project]];
  if (reason === 'commented') return rows;
  return [
    ...rows,
    ['Due date', dueDate === null ? 'None' : dueDay(dueDate)],
    ['Status', STATUS_LABELS[status] ?? status],
  ];
}

/** Due dates are stored as midnight UTC and mean that day in every time zone. */
const dueDay = (iso: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(iso));
