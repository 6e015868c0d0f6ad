import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { boundedArray, id, idParams, pageQuery, requiredName } from '../../fields.ts';
import { pageOf } from '../../pages.ts';
import { departmentRef } from '../../people.ts';

const INVALID_CAPACITY = 'A room must have a capacity of 1 to 10,000 people';
const forbiddenMessage = 'Only administrators can change rooms';

const fields = {
  name: requiredName('Room name is required', 100),
  size: z.int(INVALID_CAPACITY).min(1, INVALID_CAPACITY).max(10_000, INVALID_CAPACITY).describe('Capacity in people'),
  departments: boundedArray(100, z.array(id)).describe(
    'Departments whose members can book it, as ids; empty for everyone',
  ),
};

export const room = z.object({
  _id: id,
  name: z.string(),
  size: z.int().describe('Capacity in people'),
  departments: z.array(departmentRef).describe('Empty if everyone can book it'),
  isForEveryone: z.boolean(),
  version: z.int(),
  abilities: z.object({ book: z.boolean(), update: z.boolean() }),
});
export type Room = z.infer<typeof room>;

export const createRoomBody = z.object({ ...fields, departments: fields.departments.default([]) });
export const updateRoomBody = z.object({
  name: fields.name.optional(),
  size: fields.size.optional(),
  departments: fields.departments.optional(),
  version: z.int().optional().describe('The version this change is based on; a stale one responds 409'),
});

export const listRooms = endpoint({
  method: 'GET',
  path: '/meetings/rooms',
  summary: 'List rooms by name',
  access: 'user',
  query: pageQuery,
  response: pageOf(room),
  status: 200,
});

export const createRoom = endpoint({
  method: 'POST',
  path: '/meetings/rooms',
  summary: 'Create a room (administrators)',
  access: 'admin',
  forbiddenMessage,
  idempotent: true,
  body: createRoomBody,
  response: room,
  status: 201,
  errors: ['conflict'],
  rules: ['Unknown department'],
});

export const updateRoom = endpoint({
  method: 'PATCH',
  path: '/meetings/rooms/:id',
  summary: 'Change a room (administrators); existing bookings remain',
  access: 'admin',
  forbiddenMessage,
  params: idParams,
  body: updateRoomBody,
  response: room,
  status: 200,
  errors: ['not_found', 'conflict', 'stale_version'],
  rules: ['Unknown department'],
});

export const deleteRoom = endpoint({
  method: 'DELETE',
  path: '/meetings/rooms/:id',
  summary: 'Delete a room (administrators): it can no longer be booked, and meetings keep its name',
  access: 'admin',
  forbiddenMessage,
  params: idParams,
  status: 204,
  errors: ['not_found'],
});
