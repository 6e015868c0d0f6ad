import { createTaskBody, type Task, updateTaskBody } from '@atrium/proto-events/http/tasks';
import type { ReactNode, Ref } from 'react';
import { z } from 'zod';
import { PRIORITY_OPTIONS } from '#entities/priority.ts';
import { StatusIcon } from '#entities/task/task-icons.tsx';
import { TASK_STATUS_OPTIONS } from '#entities/task/task-labels.ts';
import { storedDay } from '#lib/time/day.ts';
import type { Option } from '#ui/fields/option.tsx';
import { Select } from '#ui/fields/select.tsx';
import { DatePicker } from '#ui/times/date-picker.tsx';

type FieldBinding = {
  value: string;
  onChange: (value: string) => void;
  isDisabled?: boolean;
  onBlur?: () => void;
  name?: string;
  error?: string | undefined;
  ref?: Ref<never>;
};

type TaskField = {
  read: (task: Task) => string;
  ability: 'update' | 'updateStatus';
  control: (binding: FieldBinding, people: readonly Option[]) => ReactNode;
};

const STATUSES: readonly Option[] = TASK_STATUS_OPTIONS.map((option) => ({
  ...option,
  leading: <StatusIcon status={option.value} />,
}));
const PRIORITIES: readonly Option[] = PRIORITY_OPTIONS;
const NO_ONE: Option = { value: '', label: 'No one' };

export type TaskFieldName = 'status' | 'priority' | 'startDate' | 'dueDate' | 'assignedTo';

export const TASK_FIELDS: Record<TaskFieldName, TaskField> = {
  status: {
    read: ({ status }) => status,
    ability: 'updateStatus',
    control: (binding) => <Select label="Status" options={STATUSES} {...binding} />,
  },
  priority: {
    read: ({ priority }) => priority,
    ability: 'update',
    control: (binding) => <Select label="Priority" options={PRIORITIES} {...binding} />,
  },
  startDate: {
    read: ({ startDate }) => storedDay(startDate),
    ability: 'update',
    control: (binding) => <DatePicker label="Start date" {...binding} />,
  },
  dueDate: {
    read: ({ dueDate }) => storedDay(dueDate),
    ability: 'update',
    control: (binding) => <DatePicker label="Due date" {...binding} />,
  },
  assignedTo: {
    read: ({ assignedTo }) => assignedTo?._id ?? '',
    ability: 'update',
    control: (binding, people) => <Select label="Assignee" options={[NO_ONE, ...people]} {...binding} />,
  },
};

export const TASK_FIELD_NAMES = Object.keys(TASK_FIELDS) as TaskFieldName[];

export type TaskTextValues = { title: string; description: string };

export type NewTaskValues = TaskTextValues & Record<TaskFieldName, string>;

export function newTaskSchema(project: string, origin: Task['origin'] = null) {
  return z.preprocess((values: NewTaskValues) => {
    const chosenFields = TASK_FIELD_NAMES.map((name) => [name, values[name] || null]);
    return { ...values, ...Object.fromEntries(chosenFields), project, origin };
  }, createTaskBody);
}

export const updateBodyFor = (name: TaskFieldName, value: string) => updateTaskBody.parse({ [name]: value || null });

export const taskTextSchema = z.preprocess(
  (values: TaskTextValues) => values,
  updateTaskBody.pick({ title: true, description: true }),
);
