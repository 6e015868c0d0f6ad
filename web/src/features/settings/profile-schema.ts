import { updateProfileBody } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { z } from 'zod';
import type { FieldTexts } from '../../lib/forms/field-texts.ts';
import { timeZones } from '../../lib/time-zone.ts';

/** The fixed list of the specification (section 2); the server takes departments by name as well. */
const DEPARTMENTS = ['Engineering', 'Design', 'Product', 'Marketing', 'Sales', 'HR', 'Finance'];

/** The seven, and one's own where it is another. */
export function departmentOptions(own: string | undefined) {
  const names = own && !DEPARTMENTS.includes(own) ? [...DEPARTMENTS, own] : DEPARTMENTS;
  return names.map((name) => ({ value: name, label: name }));
}

export type ProfileValues = {
  firstName: string;
  lastName: string;
  phone: string;
  location: string;
  department: string;
  timezone: string;
  bio: string;
};

export const timeZoneOptions = (own: string) =>
  timeZones(own).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));

/**
 * What differs from the profile that the form was filled from: a department goes by its name, which somebody may have changed meanwhile,
 * or given to another.
 */
export const profileSchema = (base: User) =>
  z.preprocess(
    (values: ProfileValues) => {
      const before = new Map(Object.entries(valuesOf(base)));
      return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== before.get(name)));
    },
    updateProfileBody.omit({ version: true }),
  );

export function valuesOf(user: User): ProfileValues {
  const { firstName, lastName, phone, location, department, timezone, bio } = user;
  return { firstName, lastName, phone, location, department: department?.name ?? '', timezone, bio };
}

export const PROFILE_FIELDS: FieldTexts<ProfileValues> = {
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  location: 'Location',
  department: 'Department',
  timezone: 'Time zone',
  bio: 'Bio',
};
