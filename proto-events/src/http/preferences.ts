import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { boundedArray } from '../fields.ts';
import { dayHours, MAX_REMINDER_MINUTES } from '../preferences.ts';

/** A user's preferences; `version` is that of the user. */
export const preferences = z.object({
  workingHours: z
    .array(z.object({ start: z.string(), end: z.string() }).nullable())
    .describe('Local time in their zone, Monday first, as HH:MM; null for a day off'),
  reminderMinutes: z.int().nullable().describe('Minutes before a meeting; null for no reminder'),
  taskEmails: z.boolean().describe('Whether notifications about tasks are also emailed'),
  version: z.int(),
});
export type OwnPreferences = z.infer<typeof preferences>;

const WRONG_MINUTES = 'A reminder comes at most a day before a meeting';

export const updatePreferencesBody = z.object({
  workingHours: boundedArray(7, z.array(dayHours.nullable()))
    .refine((days) => days.length === 7, 'Working hours are those of seven days')
    .optional(),
  reminderMinutes: z.int().min(0, WRONG_MINUTES).max(MAX_REMINDER_MINUTES, WRONG_MINUTES).nullable().optional(),
  taskEmails: z.boolean().optional(),
  version: z.int().optional(),
});

export const getPreferences = endpoint({
  method: 'GET',
  path: '/users/profile/preferences',
  summary: 'Get your preferences: working hours, meeting reminders, and emails about tasks',
  access: 'user',
  response: preferences,
  status: 200,
});

export const updatePreferences = endpoint({
  method: 'PATCH',
  path: '/users/profile/preferences',
  summary: 'Change your preferences',
  access: 'user',
  body: updatePreferencesBody,
  response: preferences,
  status: 200,
  errors: ['stale_version'],
});
