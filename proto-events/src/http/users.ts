import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  boundedArray,
  id,
  idList,
  idParams,
  optionalName,
  optionalPhone,
  optionalText,
  pageQuery,
  requiredName,
  searchText,
  timezone,
  wholeNumber,
} from '../fields.ts';
import { pageOf } from '../pages.ts';
import { role, user, userStatus, userSummary } from '../people.ts';
import { dayHours, MAX_REMINDER_MINUTES } from '../preferences.ts';
import { dayQuery, STATISTICS_DENIED } from '../statistics.ts';
import { distinctNames } from '../text/fold.ts';

const nameRule = 'First name and last name are required';
const department = optionalName(100)
  .nullable()
  .describe('A department id or one of their names; null or an empty string for none');

const skills = boundedArray(50, z.array(optionalName(60))).transform(distinctNames);

/** The fields that users can change about themselves, which exclude email and role. */
export const updateProfileBody = z.object({
  firstName: requiredName(nameRule, 100).optional(),
  lastName: requiredName(nameRule, 100).optional(),
  phone: optionalPhone.optional(),
  location: optionalName(200).optional(),
  department: department.optional(),
  bio: optionalText(2000).optional(),
  timezone: timezone.optional(),
  version: z.int().optional(),
});

/** The fields that administrators can change about a user, which exclude email and password. */
export const updateUserBody = updateProfileBody.omit({ timezone: true }).extend({
  role: role.optional(),
  status: userStatus.optional(),
  skills: skills.optional(),
});

export const getProfile = endpoint({
  method: 'GET',
  path: '/users/profile',
  summary: 'Get the signed-in person',
  access: 'user',
  response: user,
  status: 200,
});

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/users/profile',
  summary: 'Change your own profile',
  access: 'user',
  body: updateProfileBody,
  response: user,
  status: 200,
  errors: ['stale_version'],
  rules: ['Unknown department'],
});

const search = searchText(200, 'Words of the name or the email address, or parts of them, in any order');

/** Filter value for people without a department. */
export const NO_DEPARTMENT = 'none';

export const listUsers = endpoint({
  method: 'GET',
  path: '/users',
  summary: 'List people, by last and first name by default',
  access: 'user',
  query: pageQuery.extend({
    ids: idList,
    search,
    role: role.optional(),
    status: userStatus.optional(),
    department: id
      .or(z.literal(NO_DEPARTMENT))
      .optional()
      .describe(`An id, or \`${NO_DEPARTMENT}\` for people without a department`),
    sortBy: z
      .enum(['lastName', 'name', 'role', 'department', 'status', 'lastLogin'])
      .default('lastName')
      .describe('`name` is the display name, first name first; people without a value come last'),
    sortOrder: z.enum(['asc', 'desc']).default('asc'),
  }),
  response: pageOf(user),
  status: 200,
});

export const listProjectManagers = endpoint({
  method: 'GET',
  path: '/users/project-managers',
  summary: 'List active people who can manage a project, by last and first name',
  access: 'user',
  query: z.object({
    search,
    limit: wholeNumber({
      fallback: 100,
      max: 100,
      description: 'Maximum number of people; 100 by default and at most',
    }),
  }),
  response: z.array(userSummary),
  status: 200,
});

export const userCounts = z.object({
  total: z.int(),
  admins: z.int(),
  projectManagers: z.int(),
  members: z.int(),
  active: z.int(),
  inactive: z.int(),
  newThisMonth: z.int(),
});

export const getUserHistory = endpoint({
  method: 'GET',
  path: '/users/stats/history',
  summary: 'Count people by the day on which they were added, and by their current status (administrators)',
  access: 'admin',
  forbiddenMessage: STATISTICS_DENIED,
  query: dayQuery,
  response: z.object({
    days: z
      .array(z.object({ day: z.iso.date(), active: z.int(), invited: z.int(), inactive: z.int() }))
      .describe('Days on which someone was added who has not been deleted, oldest first'),
  }),
  status: 200,
});

export const getUserStats = endpoint({
  method: 'GET',
  path: '/users/stats/overview',
  summary: 'Count people by role and status',
  access: 'user',
  response: userCounts,
  status: 200,
});

export const getUser = endpoint({
  method: 'GET',
  path: '/users/:id',
  summary: 'Get a person',
  access: 'user',
  params: idParams,
  response: user,
  status: 200,
  errors: ['not_found'],
});

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/users/:id',
  summary: 'Change a person (administrators); a new role or status ends their sessions',
  access: 'user',
  params: idParams,
  body: updateUserBody,
  response: user,
  status: 200,
  errors: ['forbidden', 'not_found', 'conflict', 'stale_version'],
  rules: ['Unknown department'],
});

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/users/:id',
  summary: 'Delete a person (administrators); their content remains, their address becomes free',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['forbidden', 'not_found', 'conflict'],
});

/** A user's preferences; `version` is that of the user. */
export const preferences = z.object({
  workingHours: z
    .array(z.object({ start: z.string(), end: z.string() }).nullable())
    .describe('Local time in their zone, Monday first, as HH:MM; null for a day off'),
  reminderMinutes: z.int().nullable().describe('Minutes before a meeting; null for no reminder'),
  version: z.int(),
});
export type OwnPreferences = z.infer<typeof preferences>;

const WRONG_MINUTES = 'A reminder comes at most a day before a meeting';

export const updatePreferencesBody = z.object({
  workingHours: boundedArray(7, z.array(dayHours.nullable()))
    .refine((days) => days.length === 7, 'Working hours are those of seven days')
    .optional(),
  reminderMinutes: z.int().min(0, WRONG_MINUTES).max(MAX_REMINDER_MINUTES, WRONG_MINUTES).nullable().optional(),
  version: z.int().optional(),
});

export const getPreferences = endpoint({
  method: 'GET',
  path: '/users/profile/preferences',
  summary: 'Get your preferences: working hours and meeting reminders',
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
