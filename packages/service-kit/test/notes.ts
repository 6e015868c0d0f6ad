import { defineEvent } from '@atrium/proto-events/event';
import { z } from 'zod';

/** An event of a service that exists in these tests only. */
export const noteWritten = defineEvent('notes.note.written', 1, z.object({ note: z.string(), n: z.int() }));

export const NOTES_MIGRATIONS = new URL('./migrations/', import.meta.url);
