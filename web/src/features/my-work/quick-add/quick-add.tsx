import type { Task } from '@atrium/proto-events/http/tasks';
import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { styled } from 'styled-components';
import { useOwnProjects } from '#entities/project/use-own-projects.ts';
import { isComposing } from '#lib/forms/is-composing.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useToday } from '#lib/hooks/use-now.ts';
import { keyLetter } from '#lib/single-key-shortcuts.ts';
import { chosenConventions } from '#lib/time/date-preferences.ts';
import { Button } from '#ui/button.tsx';
import { hiddenInPrint } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { findDefaultProject } from './latest-project.ts';
import { parseQuickAdd } from './parse-quick-add.ts';
import { describePreview, type ProjectState, QuickAddPreview } from './preview.tsx';
import { ProjectOptions } from './project-options.tsx';
import { useAddTask } from './use-add-task.ts';
import { useProjectCompletion } from './use-project-completion.ts';

type Props = {
  field: RefObject<HTMLInputElement | null>;
  onAdded: (task: Task) => void;
  /** Undoes the last change; returns false if there is none. */
  onUndo: () => boolean;
};

const ANNOUNCEMENT_DELAY_MS = 800;

/** Adds a task for the user from one line. Focus stays in the field, for the next one. */
export function QuickAdd({ field, onAdded, onUndo }: Props) {
  const [line, setLine] = useState('');
  const previewId = useId();
  const today = useToday();
  const own = useOwnProjects();
  const projects = own.data?.data ?? [];
  const parsed = parseQuickAdd(line, { today, order: chosenConventions().order, projects });
  const project = parsed.project ?? (parsed.unknownProject ? undefined : findDefaultProject(projects));
  const preview = { parsed, project, projects: stateOf(own) };
  const completion = useProjectCompletion({ field, line, projects, onLine: setLine });
  const { add, isAdding } = useAddTask({
    onAdded(task) {
      setLine((current) => (current === line ? '' : current));
      onAdded(task);
    },
  });
  const submit = () => {
    if (parsed.title === '' || own.data === undefined) return;
    if (project) void add(line, { parsed, project });
    else completion.start(parsed.unknownProject);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event) || completion.handleKey(event)) return;
    if (event.key === 'Enter') submit();
    // Outside of the field, the keys of tasks work. The line stays.
    else if (event.key === 'Escape') event.currentTarget.blur();
    else if (!(line === '' && isUndoKey(event) && onUndo())) return;
    event.preventDefault();
  };
  const announcement = useDebounced(line === '' ? '' : describePreview(preview, today), ANNOUNCEMENT_DELAY_MS);
  return (
    <Frame aria-label="Quick add">
      <Line>
        <Field
          ref={field}
          // The placeholder is in the direction of the page.
          dir={line === '' ? undefined : 'auto'}
          value={line}
          placeholder="Add a task: report friday #portal !high"
          aria-label="Add a task"
          aria-describedby={previewId}
          autoComplete="off"
          enterKeyHint="done"
          onKeyDown={onKeyDown}
          {...completion.fieldProps}
        />
        <Button variant="primary" onPress={submit} isBusy={isAdding} isDisabled={parsed.title === ''}>
          Add
        </Button>
      </Line>
      <ProjectOptions completion={completion} field={field} />
      <QuickAddPreview id={previewId} preview={preview} today={today} isEmpty={line.trim() === ''} />
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </Frame>
  );
}

const stateOf = ({ data, error }: ReturnType<typeof useOwnProjects>): ProjectState => {
  if (data) return data.data.length > 0 ? 'some' : 'none';
  return error ? 'failed' : 'loading';
};

/** In an empty field, which has nothing of its own to undo. */
const isUndoKey = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey) && !event.shiftKey && keyLetter(event.nativeEvent) === 'z';

const Frame = styled.section`
  margin-bottom: ${theme.space[6]};
  padding: ${theme.space[3]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.low};
  &:has(input:focus-visible) {
    outline: 2px solid ${theme.color.accent};
    outline-offset: -1px;
  }
  ${theme.media.compact} {
    margin-bottom: ${theme.space[4]};
  }
  ${hiddenInPrint}
`;

const Line = styled.div`
  display: flex;
  gap: ${theme.space[2]};
`;

const Field = styled.input`
  flex: 1;
  min-width: 0;
  min-height: ${theme.control};
  padding: 0 ${theme.space[2]};
  border: 0;
  border-radius: ${theme.radius.md};
  background: transparent;
  color: ${theme.color.text};
  font: ${theme.text.lg};
  text-overflow: ellipsis;
  &::placeholder {
    color: ${theme.color.text3};
    opacity: 1;
  }
  &:focus-visible {
    outline: none;
    box-shadow: none;
  }
`;
