import { z } from 'zod';
import { dayTime, WRONG_DAY_TIME } from './fields.ts';
import { noticeLevels } from './notices/levels.ts';
import { chosenNotices } from './notices/settings.ts';

const end = z
  .string()
  .max(5, WRONG_DAY_TIME)
  .regex(/^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/, WRONG_DAY_TIME);

/** Working hours of a day in local time, `HH:MM`; a day until midnight ends at `24:00`. */
export const dayHours = z
  .object({ start: dayTime, end })
  .refine((hours) => hours.end > hours.start, { path: ['end'], error: 'End time must be after start time' });
export type DayHours = z.infer<typeof dayHours>;

export const workingHours = z.array(dayHours.nullable()).length(7, 'Working hours are those of seven days');
export type WorkingHours = z.infer<typeof workingHours>;

/** Maximum minutes before a meeting for a reminder: a day. */
export const MAX_REMINDER_MINUTES = 1_440;

/** Minutes before a meeting; null for no reminder. */
export const reminderMinutes = z.int().min(0).max(MAX_REMINDER_MINUTES).nullable();

/** Preferences that a user has set; the others are absent. */
export const chosenPreferences = z
  .object({ workingHours, reminderMinutes, notices: chosenNotices, noticeLevels })
  .partial();
export type ChosenPreferences = z.infer<typeof chosenPreferences>;

export type Preferences = {
  workingHours: WorkingHours;
  reminderMinutes: number | null;
};

const OFFICE_DAY: DayHours = { start: '08:00', end: '18:00' };

/** 8:00 to 18:00 from Monday to Friday, and reminders 15 minutes before. */
export const DEFAULT_PREFERENCES: Preferences = {
  workingHours: [OFFICE_DAY, OFFICE_DAY, OFFICE_DAY, OFFICE_DAY, OFFICE_DAY, null, null],
  reminderMinutes: 15,
};

/** Adds the defaults to the preferences that a user has set. */
export function resolvePreferences({ preferences = {} }: { preferences?: ChosenPreferences | undefined }): Preferences {
  return {
    workingHours: preferences.workingHours ?? DEFAULT_PREFERENCES.workingHours,
    reminderMinutes:
      preferences.reminderMinutes === undefined ? DEFAULT_PREFERENCES.reminderMinutes : preferences.reminderMinutes,
  };
}
