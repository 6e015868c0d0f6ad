import { CalendarDays, FolderKanban } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { priorityLabel } from '#entities/priority.ts';
import { splitTitle } from '#entities/task/split-title.ts';
import { PriorityIcon } from '#entities/task/task-icons.tsx';
import { addDays, type Day, dayLabel } from '#lib/time/day.ts';
import { alignWithParent, captionStyles, iconSize } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import type { NamedProject } from './find-project.ts';
import type { ParsedTask } from './parse-quick-add.ts';

/** Whether the projects of the user are known; `none` if there are none. */
export type ProjectState = 'loading' | 'failed' | 'none' | 'some';

export type Preview = { parsed: ParsedTask; project: NamedProject | undefined; projects: ProjectState };

type Props = { id: string; preview: Preview; today: Day; isEmpty: boolean };

/** Shows what was understood, before the task is added. */
export function QuickAddPreview({ id, preview, today, isEmpty }: Props) {
  const { parsed, project } = preview;
  if (isEmpty)
    return (
      <Hint id={id} dir="auto">
        {PROJECT_TEXTS[preview.projects] ?? SYNTAX}
      </Hint>
    );
  return (
    <Chips id={id}>
      {parsed.title !== '' && <Title dir="auto">{splitTitle(parsed.title).title}</Title>}
      {parsed.dueDate !== undefined && <Chip icon={<CalendarDays />}>{dueLabel(parsed.dueDate, today)}</Chip>}
      {project && (
        <Chip icon={<FolderKanban />}>
          <bdi>{project.name}</bdi>
        </Chip>
      )}
      {parsed.priority !== undefined && (
        <Chip icon={<PriorityIcon priority={parsed.priority} />}>{priorityLabel(parsed.priority)}</Chip>
      )}
      <Missing>{hintText(preview)}</Missing>
    </Chips>
  );
}

const SYNTAX = 'Dates such as “tomorrow” or “dec 24”, # for a project, ! for a priority. Enter adds the task.';

const PROJECT_TEXTS: Readonly<Partial<Record<ProjectState, string>>> = {
  failed: 'Your projects could not be loaded. Trying again…',
  none: 'Tasks belong to projects. You can add tasks once you are in one.',
};

function hintText({ parsed, project, projects }: Preview): string {
  const projectText = projects === 'loading' ? 'Loading your projects…' : PROJECT_TEXTS[projects];
  if (projectText !== undefined) return projectText;
  if (parsed.title === '') return 'What needs to be done?';
  if (parsed.unknownProject !== undefined) return `Choose a project for “${parsed.unknownProject}”.`;
  if (!project) return 'Add a project with #.';
  const { description } = splitTitle(parsed.title);
  if (description === '') return '';
  return description === parsed.title
    ? 'The whole text will be in the description.'
    : 'Only the first 5,000 characters will be in the description.';
}

function dueLabel(day: Day, today: Day): string {
  if (day === today) return 'Today';
  if (day === addDays(today, 1)) return 'Tomorrow';
  return day < today ? `${dayLabel(day)}, in the past` : dayLabel(day);
}

/** The preview as a sentence, for screen readers. */
export function describePreview(preview: Preview, today: Day): string {
  const { parsed, project } = preview;
  const parts = [
    parsed.title,
    parsed.dueDate && `due ${dueLabel(parsed.dueDate, today)}`,
    project && `project ${project.name}`,
    parsed.priority && `${priorityLabel(parsed.priority)} priority`,
    hintText(preview),
  ];
  return parts.filter(Boolean).join(', ');
}

function Chip({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <ChipRoot>
      {icon}
      <span>{children}</span>
    </ChipRoot>
  );
}

const Hint = styled.p`
  ${captionStyles}
  ${alignWithParent}
  padding: ${theme.space[2]} ${theme.space[2]} 0;
`;

const Chips = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[2]};
  min-height: 26px;
  padding: ${theme.space[2]} ${theme.space[2]} 0;
  font: ${theme.text.sm};
`;

const Title = styled.span`
  max-width: 100%;
  font-weight: 500;
  overflow-wrap: anywhere;
`;

const ChipRoot = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 6px;
  min-width: 0;
  max-width: 100%;
  min-height: 24px;
  padding: 0 10px;
  border-radius: ${theme.radius.full};
  background: ${theme.color.accentSoft};
  color: ${theme.color.text};
  font: 500 ${theme.text.xs};
  ${iconSize(14)}
  > span:last-child {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`;

const Missing = styled.span`
  color: ${theme.color.text2};
`;
