import { updateUserBody } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { z } from 'zod';
import { roleLabel } from '../../entities/person/person.ts';
import { STATUS_OPTIONS } from '../../entities/person/person-options.ts';

/** What the form holds; an empty department is none. */
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

type Named = { _id: string; name: string };

/** Each value in the words that people see. A department is named by those that are listed, else by whoever is in it. */
export function shownValues(
  people: readonly User[],
  departments: readonly Named[],
): Record<string, (values: EditUserValues) => string> {
  const names = new Map<string, string>();
  for (const { department } of people) if (department) names.set(department._id, department.name);
  for (const { _id, name } of departments) names.set(_id, name);
  return {
    'First name': ({ firstName }) => firstName,
    'Last name': ({ lastName }) => lastName,
    Role: ({ role }) => roleLabel(role),
    Status: ({ status }) => STATUS_OPTIONS.find(({ value }) => value === status)?.label ?? '',
    Department: ({ department }) => names.get(department) ?? 'None',
    Phone: ({ phone }) => phone,
    Location: ({ location }) => location,
    Skills: ({ skills }) => skills,
    Bio: ({ bio }) => bio,
  };
}
