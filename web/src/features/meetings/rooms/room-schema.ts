import { createRoomBody, type Room } from '@atrium/proto-events/http/rooms';
import { z } from 'zod';

export type RoomValues = { name: string; size: number | null; isForEveryone: boolean; departments: string[] };

type Held = Pick<Room, 'name' | 'size' | 'isForEveryone' | 'departments' | 'version'>;

/** The initial values of a new room. */
export const NEW_ROOM: Held = { name: '', size: 8, isForEveryone: true, departments: [], version: 0 };

export const valuesOf = ({ name, size, isForEveryone, departments }: Held): RoomValues => ({
  name,
  size,
  isForEveryone,
  departments: departments.map(({ _id }) => _id),
});

export const roomSchema = z.custom<RoomValues>().transform(({ isForEveryone, ...values }, context) => {
  if (!isForEveryone && values.departments.length === 0)
    context.addIssue({ code: 'custom', path: ['departments'], message: 'At least one department is required' });
  const result = createRoomBody.safeParse({ ...values, departments: isForEveryone ? [] : values.departments });
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
});
