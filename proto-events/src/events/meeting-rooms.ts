import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id } from '../fields.ts';

/**
 * A room of the workspace was made, changed or deleted; `changed` names the fields, and is empty where it was made or deleted. Meetings that
 * have it keep it, and are not told of by themselves. Everybody sees all rooms.
 */
export const roomChanged = defineEvent(
  'meetings.room.changed',
  1,
  z.object({
    roomId: id,
    action: z.enum(['created', 'updated', 'deleted']),
    changed: z.array(z.string()),
    version: z.int(),
  }),
);
