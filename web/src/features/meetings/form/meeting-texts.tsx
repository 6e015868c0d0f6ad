import { WEEKDAY_NAMES } from '@atrium/proto-events/recurrence/text';
import { isolate } from '@atrium/proto-events/text/isolate';
import { FREQUENCY_LABELS, TYPE_LABELS } from '#entities/meeting/meeting-labels.ts';
import { useRooms } from '#entities/meeting/use-planning.ts';
import { useProject } from '#entities/project/use-projects.ts';
import { useUsersByIds } from '#entities/user/use-users.ts';
import { displayName } from '#entities/user/user-labels.ts';
import type { FieldTexts } from '#lib/forms/field-merge.ts';
import { dayLabel } from '#lib/time/day.ts';
import { timeOfDay } from '#ui/times/time-format.ts';
import type { MeetingValues } from './meeting-values.ts';

export const MEETING_TEXTS: FieldTexts<MeetingValues> = {
  title: 'Title',
  type: { label: 'Type', text: (type) => getLabel(TYPE_LABELS, type) },
  date: { label: 'Date', text: dayLabel },
  startTime: { label: 'Start time', text: timeOfDay },
  endTime: { label: 'End time', text: timeOfDay },
  isRecurring: 'Recurring meeting',
  recurringFrequency: { label: 'Frequency', text: (frequency) => getLabel(FREQUENCY_LABELS, frequency) },
  recurrence: { label: 'Repeats', text: recurrenceValueText },
  recurringEndDate: { label: 'End date', text: dayLabel },
  participants: { label: 'Participants', text: (ids) => <UserNames ids={ids} /> },
  meetingLink: 'Meeting link',
  location: 'Location',
  room: { label: 'Room', text: (id) => <RoomName id={id} /> },
  project: { label: 'Project', text: (id) => <ProjectName id={id} /> },
  description: 'Description',
  agenda: 'Agenda',
  agendaItems: { label: 'Agenda items', text: (items) => items.map(itemText).join(', ') },
  scope: null,
};

/** Omits frequency and start day, which are shown in earlier rows. */
function recurrenceValueText({ interval, weekdays, monthlyOn }: MeetingValues['recurrence']): string {
  const names = weekdays.map((weekday) => WEEKDAY_NAMES[weekday]);
  return [`Interval ${interval ?? ''}`, ...names, MONTHLY_LABELS[monthlyOn]].filter(Boolean).join(', ');
}

const MONTHLY_LABELS = {
  date: '',
  lastDay: 'last day of the month',
  weekday: 'same weekday of the month',
  lastWeekday: 'last such weekday of the month',
} as const;

function getLabel(labels: object, value: string): string {
  return new Map<string, string>(Object.entries(labels)).get(value) ?? value;
}

function itemText({ title, minutes }: MeetingValues['agendaItems'][number]): string {
  return minutes ? `${title} (${minutes} min)` : title;
}

function RoomName({ id }: { id: string }) {
  const rooms = useRooms().data?.data ?? [];
  return id === '' ? 'No room' : (rooms.find(({ _id }) => _id === id)?.name ?? 'Another room');
}

function ProjectName({ id }: { id: string }) {
  const { data } = useProject(id || null);
  return id === '' ? 'No project' : (data?.name ?? 'Another project');
}

/** Maximum number of ids in one request. */
const MAX_IDS = 100;

function UserNames({ ids }: { ids: readonly string[] }) {
  const users = useUsersByIds(ids.slice(0, MAX_IDS)).data?.data ?? [];
  const names = users.map((user) => isolate(displayName(user)));
  const otherCount = ids.length - names.length;
  if (ids.length === 0) return 'None';
  return [...names, ...(otherCount > 0 ? [`${otherCount} more`] : [])].join(', ');
}
