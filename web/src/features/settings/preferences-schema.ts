import { type OwnPreferences, updatePreferencesBody } from '@atrium/proto-events/http/users';
import { type DayHours, DEFAULT_PREFERENCES } from '@atrium/proto-events/preferences';
import { z } from 'zod';
import type { FieldTexts } from '#lib/forms/field-merge.ts';
import { timeOfDay } from '#ui/times/time-format.ts';

export const WEEKDAYS = [
  { name: 'monday', label: 'Monday' },
  { name: 'tuesday', label: 'Tuesday' },
  { name: 'wednesday', label: 'Wednesday' },
  { name: 'thursday', label: 'Thursday' },
  { name: 'friday', label: 'Friday' },
  { name: 'saturday', label: 'Saturday' },
  { name: 'sunday', label: 'Sunday' },
] as const;
export type DayName = (typeof WEEKDAYS)[number]['name'];

const NEVER = 'never';
const CHOICES = [
  { value: NEVER, label: 'Never' },
  { value: '0', label: 'When they start' },
  { value: '5', label: '5 minutes before' },
  { value: '10', label: '10 minutes before' },
  { value: '15', label: '15 minutes before' },
  { value: '30', label: '30 minutes before' },
  { value: '60', label: '1 hour before' },
  { value: '120', label: '2 hours before' },
  { value: '1440', label: '1 day before' },
];

type DayValues = { isOn: boolean; start: string; end: string };
type PreferenceValues = Record<DayName, DayValues> & { reminder: string };

const toReminderValue = (minutes: number | null) => (minutes === null ? NEVER : String(minutes));

export function reminderOptions(minutes: number | null) {
  const value = toReminderValue(minutes);
  if (CHOICES.some((choice) => choice.value === value)) return CHOICES;
  return [...CHOICES, { value, label: `${value} minutes before` }];
}

const OFFICE_DAY = DEFAULT_PREFERENCES.workingHours[0] ?? { start: '08:00', end: '18:00' };

export function valuesOf({ workingHours, reminderMinutes }: OwnPreferences): PreferenceValues {
  const toDayValues = (hours: DayHours | null | undefined): DayValues => ({
    isOn: Boolean(hours),
    ...(hours ?? OFFICE_DAY),
  });
  const days = WEEKDAYS.map(({ name }, at) => [name, toDayValues(workingHours[at])] as const);
  return {
    ...(Object.fromEntries(days) as Record<DayName, DayValues>),
    reminder: toReminderValue(reminderMinutes),
  };
}

export const preferencesSchema = z.custom<PreferenceValues>().transform((values, context) => {
  const body = {
    workingHours: WEEKDAYS.map(({ name }) => {
      const { isOn, start, end } = values[name];
      return isOn ? { start, end } : null;
    }),
    reminderMinutes: values.reminder === NEVER ? null : Number(values.reminder),
  };
  const result = updatePreferencesBody.safeParse(body);
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) {
    const [field, day, part] = path;
    const name = field === 'workingHours' && typeof day === 'number' ? WEEKDAYS[day]?.name : undefined;
    context.addIssue({ code: 'custom', path: name ? [name, String(part)] : ['reminder'], message });
  }
  return z.NEVER;
});

const hours = ({ isOn, start, end }: DayValues) => (isOn ? `${timeOfDay(start)} to ${timeOfDay(end)}` : 'No meetings');

export const PREFERENCE_FIELDS: FieldTexts<PreferenceValues> = {
  reminder: {
    label: 'Reminder',
    text: (reminder) => CHOICES.find(({ value }) => value === reminder)?.label ?? `${reminder} minutes before`,
  },
  monday: { label: 'Monday', text: hours },
  tuesday: { label: 'Tuesday', text: hours },
  wednesday: { label: 'Wednesday', text: hours },
  thursday: { label: 'Thursday', text: hours },
  friday: { label: 'Friday', text: hours },
  saturday: { label: 'Saturday', text: hours },
  sunday: { label: 'Sunday', text: hours },
};
