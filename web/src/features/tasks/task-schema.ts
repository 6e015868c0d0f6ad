import { createTaskBody, updateTaskBody } from '@atrium/proto-events/http/tasks';
import { z } from 'zod';
import { TASK_FIELD_NAMES, type TaskFieldName } from './task-fields.tsx';

/** What the form for the words of a task holds. */
export type TaskTextValues = { title: string; description: string };

/** What the New Task form holds: what is chosen as texts, empty for none. */
export type NewTaskValues = TaskTextValues & Record<TaskFieldName, string>;

/** For tasks of that project. */
export function newTaskSchema(project: string) {
  return z.preprocess((values: NewTaskValues) => {
    const chosen = TASK_FIELD_NAMES.map((name) => [name, values[name] || null]);
    return { ...values, ...Object.fromEntries(chosen), project };
  }, createTaskBody);
}

/** The change that choosing this value is. */
export const choiceOf = (name: TaskFieldName, value: string) => updateTaskBody.parse({ [name]: value || null });

export const taskTextSchema = z.preprocess(
  (values: TaskTextValues) => values,
  updateTaskBody.pick({ title: true, description: true }),
);
