import { updateProfileBody } from '@atrium/proto-events/http/users';
import type { User } from '@atrium/proto-events/people';
import { z } from 'zod';
import type { FieldTexts } from '#lib/forms/field-texts.ts';
import { timeZones } from '#lib/time-zone.ts';

/** The fixed list of the specification (section 2); the server also accepts departments by name. */
const DEPARTMENTS = ['Engineering', 'Design', 'Product', 'Marketing', 'Sales', 'HR', 'Finance'];

/** The seven departments, and the user's own if it is another one. */
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

/** The changes since the form was filled: departments are sent by name, which may have been changed or reassigned since. */
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
