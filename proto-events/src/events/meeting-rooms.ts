import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id } from '../fields.ts';

/**
 * A meeting room was created, changed, or deleted; `changed` names the fields and is empty for creation and deletion.
 * Meetings keep their room and have no event of their own. All users see all rooms.
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
