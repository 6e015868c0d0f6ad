import { updateUserBody } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { z } from 'zod';

/** The values of the form; an empty department means none, and skills are separated by commas. */
export function valuesOf(user: User) {
  const { firstName, lastName, role, status, phone, location, bio } = user;
  const department = user.department?._id ?? '';
  return { firstName, lastName, role, status, department, phone, location, bio, skills: user.skills.join(', ') };
}

export type EditUserValues = ReturnType<typeof valuesOf>;

export const editUserSchema = z.preprocess(
  (values: EditUserValues) => ({
    ...values,
    department: values.department || null,
    skills: values.skills.split(','),
  }),
  updateUserBody,
);
