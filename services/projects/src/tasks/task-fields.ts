import type { createTaskBody } from '@atrium/proto-events/http/tasks';
import { invalidField } from '@atrium/service-kit/errors/app-error';
import type { z } from 'zod';

type TaskInput = Omit<z.output<typeof createTaskBody>, 'project' | 'origin'>;

export type TaskFields = TaskInput & { progress: number };

/**
 * Task statements, responses, and the names in `changed` derive from this list: a new field needs a line here, in the
 * contract, and in a migration. Events list their fields in `toTaskEventData`.
 */
const COLUMN_NAMES = {
  title: 'title',
  description: 'description',
  status: 'status',
  priority: 'priority',
  assignedTo: 'assigned_to',
  startDate: 'start_date',
  dueDate: 'due_date',
  progress: 'progress',
} as const satisfies Record<keyof TaskFields, string>;

const FIELDS = Object.keys(COLUMN_NAMES) as (keyof TaskFields)[];

export const SELECT_FIELDS = FIELDS.map((field) => `t.${COLUMN_NAMES[field]} as "${field}"`).join(', ');

export function toColumns(fields: Partial<TaskFields>): { columns: string[]; values: unknown[] } {
  const definedFields = FIELDS.filter((field) => fields[field] !== undefined);
  return {
    columns: definedFields.map((field) => COLUMN_NAMES[field]),
    values: definedFields.map((field) => fields[field]),
  };
}

export const pickTaskFields = (row: TaskFields) => pick(row, FIELDS);

/** A task created as done has 100 percent progress. */
export function toNewFields(input: TaskInput): TaskFields {
  assertStartNotAfterDue(input);
  return { ...input, progress: input.status === 'done' ? 100 : 0 };
}

/** Changing the status to done sets 100 percent progress. */
export function toChangedFields(before: TaskFields, input: { [F in keyof TaskFields]?: TaskFields[F] | undefined }) {
  const isCompleting = input.status === 'done' && before.status !== 'done';
  const requested = { ...input, ...(isCompleting && { progress: 100 }) };
  const changedFields = pick(
    requested,
    FIELDS.filter((field) => requested[field] !== undefined && requested[field] !== before[field]),
  ) as Partial<TaskFields>;
  if ('startDate' in changedFields || 'dueDate' in changedFields)
    assertStartNotAfterDue({ ...before, ...changedFields });
  return changedFields;
}

/** ISO 8601 times sort lexicographically. */
function assertStartNotAfterDue({ startDate, dueDate }: Pick<TaskFields, 'startDate' | 'dueDate'>): void {
  if (startDate !== null && dueDate !== null && startDate > dueDate)
    throw invalidField('startDate', 'Start date must not be after the due date');
}

/** The earlier values of changed fields by which lists are filtered and sorted, except for the assignee. */
export const pickPrevious = (before: TaskFields, change: Partial<TaskFields>) =>
  pick(
    before,
    LIST_FIELDS.filter((field) => field in change),
  );

const LIST_FIELDS = ['status', 'priority', 'dueDate'] as const;

const pick = <T extends object, K extends keyof T>(source: T, keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, source[key]])) as Pick<T, K>;
