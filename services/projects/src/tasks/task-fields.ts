import type { createTaskBody } from '@atrium/proto-events/http/tasks';
import { invalidField } from '@atrium/service-kit/http/app-error';
import type { z } from 'zod';

type Given = Omit<z.output<typeof createTaskBody>, 'project'>;

/** What people say of a task, in the names and values of the API; a day or a time is ISO 8601 in UTC. */
export type TaskFields = Given & { progress: number };

/**
 * The column of each field. Statements are made of this list, and answers, changes and events carry the fields as they are: another one is
 * a line here, besides its lines in the contract and its migration.
 */
const COLUMN_OF = {
  title: 'title',
  description: 'description',
  status: 'status',
  priority: 'priority',
  assignedTo: 'assigned_to',
  startDate: 'start_date',
  dueDate: 'due_date',
  progress: 'progress',
} as const satisfies Record<keyof TaskFields, string>;

const FIELDS = Object.keys(COLUMN_OF) as (keyof TaskFields)[];

/** The fields of a row of `tasks t`. */
export const SELECT_FIELDS = FIELDS.map((field) => `t.${COLUMN_OF[field]} as "${field}"`).join(', ');

/** Some fields as a statement writes them. */
export function toColumns(fields: Partial<TaskFields>): { columns: string[]; values: unknown[] } {
  const given = FIELDS.filter((field) => fields[field] !== undefined);
  return { columns: given.map((field) => COLUMN_OF[field]), values: given.map((field) => fields[field]) };
}

/** The fields of a row that holds more. */
export const fieldsOf = (row: TaskFields) => pick(row, FIELDS);

/** What a new task is; of one that is done there is nothing left. */
export function newFields(given: Given): TaskFields {
  requireOrder(given);
  return { ...given, progress: given.status === 'done' ? 100 : 0 };
}

/** Only what really changes. Going to done means 100 percent. */
export function changedFields(before: TaskFields, given: { [F in keyof TaskFields]?: TaskFields[F] | undefined }) {
  const finishes = given.status === 'done' && before.status !== 'done';
  const wanted = { ...given, ...(finishes && { progress: 100 }) };
  const changed = pick(
    wanted,
    FIELDS.filter((field) => wanted[field] !== undefined && wanted[field] !== before[field]),
  ) as Partial<TaskFields>;
  if ('startDate' in changed || 'dueDate' in changed) requireOrder({ ...before, ...changed });
  return changed;
}

/** Times of the API stand in the order of their texts. */
function requireOrder({ startDate, dueDate }: Pick<TaskFields, 'startDate' | 'dueDate'>): void {
  if (startDate !== null && dueDate !== null && startDate > dueDate)
    throw invalidField('startDate', 'Start date must not be after the due date');
}

const pick = <T extends object, K extends keyof T>(from: T, keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
