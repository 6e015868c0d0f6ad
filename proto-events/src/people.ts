import { z } from 'zod';
import { id, time } from './fields.ts';
import { chosenPreferences } from './preferences.ts';

export const role = z.enum(['admin', 'project_manager', 'member']);
export type Role = z.infer<typeof role>;

/** An administrator sets the status; an inactive user cannot sign in. */
export const userStatus = z.enum(['active', 'inactive']);
export type UserStatus = z.infer<typeof userStatus>;

export const departmentRef = z.object({ _id: id, name: z.string() });

/**
 * A user as embedded in other resources. A deleted user has only `_id`, the name "Deleted user", and `deleted: true`.
 */
export const userSummary = z.object({
  _id: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string().optional(),
  role: role.optional(),
  status: userStatus.optional(),
  department: departmentRef.nullable().optional(),
  avatar: z.string().nullable().optional(),
  deleted: z.literal(true).optional(),
  version: z.int().optional().describe('Of the user; of two summaries, the later one has the current names'),
});
export type UserSummary = z.infer<typeof userSummary>;

export const user = z.object({
  _id: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  location: z.string(),
  department: departmentRef.nullable(),
  departmentSelfAssigned: z
    .literal(true)
    .optional()
    .describe('They chose the department themselves, so its shares do not apply to them'),
  role,
  status: userStatus,
  invited: z.boolean().describe('Invited and not yet activated'),
  bio: z.string(),
  skills: z.array(z.string()),
  avatar: z.string().nullable(),
  timezone: z.string(),
  joinDate: time,
  lastLogin: time
    .nullable()
    .optional()
    .describe('Only in the caller’s own profile, and in responses to administrators'),
  tasksCompleted: z.int(),
  version: z.int(),
});
export type User = z.infer<typeof user>;

/** A user as events carry them: without the time that only they and administrators see. */
export const sharedUser = user.omit({ lastLogin: true });

/**
 * The directory entry with the key `user.<id>`: enough for every service to show a name, and to reject a revoked user,
 * without a request.
 */
export const directoryUser = z.object({
  _id: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role,
  status: userStatus,
  departmentId: id.nullable(),
  /** Self-assigned, so it grants no access. */
  departmentSelfAssigned: z.literal(true).optional(),
  avatar: z.string().nullable(),
  timezone: z.string(),
  /** Absent if the user has changed none. For services only; never part of a response. */
  preferences: chosenPreferences.optional(),
  deleted: z.boolean(),
  /** Access tokens issued before this time are rejected; milliseconds since 1970. */
  sessionsValidAfter: z.int(),
  version: z.int(),
});
export type DirectoryUser = z.infer<typeof directoryUser>;

/** The directory entry with the key `department.<id>`. */
export const directoryDepartment = z.object({ _id: id, name: z.string(), isActive: z.boolean(), version: z.int() });
export type DirectoryDepartment = z.infer<typeof directoryDepartment>;
