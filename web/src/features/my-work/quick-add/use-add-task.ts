import type { Task } from '@atrium/proto-events/http/tasks';
import { splitTitle } from '#entities/task/split-title.ts';
import { useTaskActions } from '#entities/task/use-task-actions.ts';
import { useIdempotencyKeyByName } from '#lib/hooks/use-idempotency-key.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import type { NamedProject } from './find-project.ts';
import { recordLatestProject } from './latest-project.ts';
import type { ParsedTask } from './parse-quick-add.ts';

type NewTask = { parsed: ParsedTask; project: NamedProject };

type Params = { onAdded: (task: Task) => void };

/** Creates tasks for the user. A repeated attempt for the same line creates one task. */
export function useAddTask({ onAdded }: Params) {
  const user = useCurrentUser();
  const { create } = useTaskActions();
  const withIdempotencyKey = useIdempotencyKeyByName();
  const { run, isBusy } = useAction(async (_line: string, { parsed, project }: NewTask) => {
    const { dueDate, priority } = parsed;
    const { title, description } = splitTitle(parsed.title);
    const body = {
      title,
      ...(description !== '' && { description }),
      project: project._id,
      assignedTo: user._id,
      dueDate: dueDate ?? null,
      ...(priority && { priority }),
    };
    const task = await withIdempotencyKey(JSON.stringify(body), (key) => create(body, key));
    recordLatestProject(project._id);
    onAdded(task);
  }, 'Failed to create task');
  return { add: run, isAdding: isBusy };
}
