import { updateUserBody } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { z } from 'zod';

/** An empty department means none. */
export type EditUserValues = {
  firstName: string;
  lastName: string;
  role: string;
  status: string;
  department: string;
  phone: string;
  location: string;
  bio: string;
  skills: string;
};

export const editUserSchema = z.preprocess(
  (values: EditUserValues) => ({
    ...values,
    department: values.department || null,
    skills: values.skills.split(','),
  }),
  updateUserBody,
);

export function valuesOf(user: User): EditUserValues {
  return {
    firstName: user.firstName,
    lastName: user.lastName,
    role: user.role,
    status: user.status,
    department: user.department?._id ?? '',
    phone: user.phone,
    location: user.location,
    bio: user.bio,
    skills: user.skills.join(', '),
  };
}
