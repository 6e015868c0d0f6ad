import { z } from 'zod';
import { boundedArray, id, requiredName } from '../../fields.ts';
import { userSummary } from '../../people.ts';

const minutes = z
  .int('Minutes must be a whole number from 1 to 600')
  .min(1, 'Minutes must be a whole number from 1 to 600')
  .max(600, 'Minutes must be a whole number from 1 to 600');

/** One agenda item: title, duration, and owner. Its start follows from the meeting's start and the preceding items. */
export const agendaItem = z.object({ title: z.string(), minutes: z.int(), who: userSummary.nullable() });
export type AgendaItem = z.infer<typeof agendaItem>;

export const agendaItemInput = z.object({
  title: requiredName('An agenda item needs a title', 200),
  minutes,
  who: id.nullable().default(null),
});

export const MAX_AGENDA_ITEMS = 30;

export const agendaInput = boundedArray(
  MAX_AGENDA_ITEMS,
  z.array(agendaItemInput),
  `An agenda can have at most ${MAX_AGENDA_ITEMS} items`,
);
