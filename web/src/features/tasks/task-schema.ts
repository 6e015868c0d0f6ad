import { createTaskBody, updateTaskBody } from '@atrium/proto-events/http/tasks';
import { z } from 'zod';

/** What the New Task form holds; the day as `YYYY-MM-DD` or empty, nobody as an empty id. */
export type NewTaskValues = {
  title: string;
  description: string;
  status: string;
  priority: string;
  assignedTo: string;
  dueDate: string;
};

/** For tasks of that project. */
export function newTaskSchema(project: string) {
  return z.preprocess(
    (values: NewTaskValues) => ({
      ...values,
      project,
      assignedTo: values.assignedTo || null,
      dueDate: values.dueDate || null,
    }),
    createTaskBody,
  );
}

/** What the form for the words of a task holds. */
export type TaskTextValues = { title: string; description: string };

export const taskTextSchema = z.preprocess(
  (values: TaskTextValues) => values,
  updateTaskBody.pick({ title: true, description: true }),
);
