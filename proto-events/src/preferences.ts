import { z } from 'zod';

const WRONG_TIME = 'Please enter a time as HH:MM';
const start = z
  .string()
  .max(5, WRONG_TIME)
  .regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/, WRONG_TIME);
const end = z
  .string()
  .max(5, WRONG_TIME)
  .regex(/^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/, WRONG_TIME);

/** Working hours of a day in local time, `HH:MM`; a day until midnight ends at `24:00`. */
export const dayHours = z
  .object({ start, end })
  .refine((hours) => hours.end > hours.start, { path: ['end'], error: 'End time must be after start time' });
export type DayHours = z.infer<typeof dayHours>;

export const workingHours = z.array(dayHours.nullable()).length(7, 'Working hours are those of seven days');
export type WorkingHours = z.infer<typeof workingHours>;

/** Maximum minutes before a meeting for a reminder: a day. */
export const MAX_REMINDER_MINUTES = 1_440;

/** Minutes before a meeting; null for no reminder. */
export const reminderMinutes = z.int().min(0).max(MAX_REMINDER_MINUTES).nullable();

/** Preferences that a user has set; the others are absent. */
export const chosenPreferences = z.object({ workingHours, reminderMinutes, taskEmails: z.boolean() }).partial();
export type ChosenPreferences = z.infer<typeof chosenPreferences>;

export type Preferences = {
  workingHours: WorkingHours;
  reminderMinutes: number | null;
  /** Whether notifications about tasks are also emailed. */
  taskEmails: boolean;
};

const OFFICE_DAY: DayHours = { start: '08:00', end: '18:00' };

/** 8:00 to 18:00 from Monday to Friday, reminders 15 minutes before, and emails about tasks. */
export const DEFAULT_PREFERENCES: Preferences = {
  workingHours: [OFFICE_DAY, OFFICE_DAY, OFFICE_DAY, OFFICE_DAY, OFFICE_DAY, null, null],
  reminderMinutes: 15,
  taskEmails: true,
};

/** Adds the defaults to the preferences that a user has set. */
export function resolvePreferences({ preferences = {} }: { preferences?: ChosenPreferences | undefined }): Preferences {
  return {
    workingHours: preferences.workingHours ?? DEFAULT_PREFERENCES.workingHours,
    reminderMinutes:
      preferences.reminderMinutes === undefined ? DEFAULT_PREFERENCES.reminderMinutes : preferences.reminderMinutes,
    taskEmails: preferences.taskEmails ?? DEFAULT_PREFERENCES.taskEmails,
  };
}
