import { z } from 'zod';
import { id, time } from './fields.ts';
import { chosenPreferences } from './preferences.ts';

/** The three roles (specification, section 6). */
export const role = z.enum(['admin', 'project_manager', 'member']);
export type Role = z.infer<typeof role>;

/** Set by an administrator; an inactive person cannot sign in. */
export const userStatus = z.enum(['active', 'inactive']);
export type UserStatus = z.infer<typeof userStatus>;

/** A department where it stands beside a person. */
export const departmentRef = z.object({ _id: id, name: z.string() });

/**
 * A person as shown beside what they made. A deleted one is `{ _id, firstName: "Deleted", lastName: "user", deleted: true }`
 * and nothing else (decisions, section 3).
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
});
export type UserSummary = z.infer<typeof userSummary>;

/** A person in full, as `GET /users/{id}` and the profile answer it. */
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
    .describe('They chose the department themselves: what is open to it is not open to them'),
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

/**
 * What the users service puts into the directory bucket for each person, under the key `user.<id>`: enough for every service
 * to show a name and to refuse a revoked person without a call (architecture, "Directory").
 */
export const directoryUser = z.object({
  _id: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role,
  status: userStatus,
  departmentId: id.nullable(),
  /** They chose it themselves, and it opens nothing to them. */
  departmentSelfAssigned: z.literal(true).optional(),
  avatar: z.string().nullable(),
  timezone: z.string(),
  /** What they chose; absent where they chose nothing. Services use it, and answers never show it. */
  preferences: chosenPreferences.optional(),
  deleted: z.boolean(),
  /** Access tokens issued before this moment are refused; milliseconds since 1970. */
  sessionsValidAfter: z.int(),
  version: z.int(),
});
export type DirectoryUser = z.infer<typeof directoryUser>;

/** The bucket's value for a department, under the key `department.<id>`. */
export const directoryDepartment = z.object({ _id: id, name: z.string(), isActive: z.boolean(), version: z.int() });
export type DirectoryDepartment = z.infer<typeof directoryDepartment>;
