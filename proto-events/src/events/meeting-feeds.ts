import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';

/** A user created a link by which calendar apps read their meetings without signing in. */
export const feedCreated = defineEvent('meetings.feed.created', 1, z.object({ userId: id, at: time }));
