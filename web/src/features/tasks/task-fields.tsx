import type { Task } from '@atrium/proto-events/http/tasks';
import type { ReactNode, Ref } from 'react';
import { PRIORITY_OPTIONS } from '#entities/priority.ts';
import { StatusMark } from '#entities/task/task-icons.tsx';
import { TASK_STATUS_OPTIONS } from '#entities/task/task-labels.ts';
import { storedDay } from '#lib/day.ts';
import type { Option } from '#ui/fields/option.tsx';
import { Select } from '#ui/fields/select.tsx';
import { DatePicker } from '#ui/times/date-picker.tsx';

/** The props a form or page passes to a control. The value is a string, empty for none. */
type Bound = {
  value: string;
  onChange: (value: string) => void;
  isDisabled?: boolean;
  onBlur?: () => void;
  name?: string;
  error?: string | undefined;
  ref?: Ref<never>;
};

type TaskField = {
  of: (task: Task) => string;
  ability: 'update' | 'updateStatus';
  /** `people` are the possible assignees. */
  control: (bound: Bound, people: readonly Option[]) => ReactNode;
};

const STATUSES: readonly Option[] = TASK_STATUS_OPTIONS.map((option) => ({
  ...option,
  lead: <StatusMark status={option.value} />,
}));
const PRIORITIES: readonly Option[] = PRIORITY_OPTIONS;
const NO_ONE: Option = { value: '', label: 'No one' };

const fields = <Name extends string>(of: Record<Name, TaskField>) => of;

/** The properties of a task, in the order of all screens. */
export const TASK_FIELDS = fields({
  status: {
    of: ({ status }) => status,
    ability: 'updateStatus',
    control: (bound) => <Select label="Status" options={STATUSES} {...bound} />,
  },
  priority: {
    of: ({ priority }) => priority,
    ability: 'update',
    control: (bound) => <Select label="Priority" options={PRIORITIES} {...bound} />,
  },
  startDate: {
    of: ({ startDate }) => storedDay(startDate),
    ability: 'update',
    control: (bound) => <DatePicker label="Start date" {...bound} />,
  },
  dueDate: {
    of: ({ dueDate }) => storedDay(dueDate),
    ability: 'update',
    control: (bound) => <DatePicker label="Due date" {...bound} />,
  },
  assignedTo: {
    of: ({ assignedTo }) => assignedTo?._id ?? '',
    ability: 'update',
    control: (bound, people) => <Select label="Assignee" options={[NO_ONE, ...people]} {...bound} />,
  },
});

export type TaskFieldName = keyof typeof TASK_FIELDS;

export const TASK_FIELD_NAMES = Object.keys(TASK_FIELDS) as TaskFieldName[];
