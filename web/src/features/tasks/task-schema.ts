import { createTaskBody, updateTaskBody } from '@atrium/proto-events/http/tasks';
import { z } from 'zod';
import { TASK_FIELD_NAMES, type TaskFieldName } from './task-fields.tsx';

export type TaskTextValues = { title: string; description: string };

/** The New Task form; selected values are strings, empty for none. */
export type NewTaskValues = TaskTextValues & Record<TaskFieldName, string>;

export function newTaskSchema(project: string) {
  return z.preprocess((values: NewTaskValues) => {
    const chosen = TASK_FIELD_NAMES.map((name) => [name, values[name] || null]);
    return { ...values, ...Object.fromEntries(chosen), project };
  }, createTaskBody);
}

/** The request body that sets one property. */
export const choiceOf = (name: TaskFieldName, value: string) => updateTaskBody.parse({ [name]: value || null });

export const taskTextSchema = z.preprocess(
  (values: TaskTextValues) => values,
  updateTaskBody.pick({ title: true, description: true }),
);
