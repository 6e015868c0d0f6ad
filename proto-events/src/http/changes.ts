import { z } from 'zod';
import { MAX_TAGS } from '../change-tags.ts';
import { endpoint } from '../endpoint.ts';
import { maxChars, wholeNumber } from '../fields.ts';
import { userSummary } from '../people.ts';
import { type Change, tag } from '../realtime.ts';

const RESOURCES = [
  'user',
  'user-counts',
  'department',
  'project',
  'project-counts',
  'task',
  'meeting',
  'room',
  'document',
  'conversation',
  'channel',
  'emoji',
  'message',
  'reply',
  'notification',
  'invitation',
  'session',
] as const satisfies Change['resource'][];

const item: z.ZodType<object, object> = z.record(z.string(), z.unknown());

const changeTags: z.ZodType<Change['tags'], Change['tags']> = z.array(tag);

/** As on the namespace `/live`. */
const change = z.object({
  resource: z.enum(RESOURCES),
  id: z.string().describe('For a message: of its conversation; for a reply: of its root'),
  action: z.enum(['created', 'updated', 'deleted']),
  version: z.int().describe('Of the resource; for a message or reply: its seq; 0 if unknown'),
  tags: changeTags,
  item: item.optional().describe('The resource as in lists, without what belongs to one user; if absent, request it'),
  changed: z.array(z.string()).optional().describe('The changed fields; if absent, any'),
  previous: item.optional().describe('Earlier values of changed fields by which lists are filtered and sorted'),
  transaction: z.string().optional().describe('Its id: lists whose `asOf` includes it include the change'),
  from: z.int().optional().describe('For consecutive messages or replies: the first seq'),
  revision: z.int().optional().describe('For a changed message or reply: the revision of its conversation or thread'),
});

/** Maximum length of a tag: its kind and an id. */
const MAX_TAG_LENGTH = 40;

const tags = z
  .string()
  .check(maxChars(MAX_TAGS * MAX_TAG_LENGTH))
  .default('')
  .transform((input) => input.split(',').filter((text) => text !== ''))
  .pipe(z.array(tag).max(MAX_TAGS))
  .describe(
    'Tags of changes that everyone can see, with commas between them, such as `projects,tasks-in:<id>`. Changes for the caller alone or for some users are always included',
  );

/** Below the timeout of the gateway for a response. */
export const MAX_WAIT_SECONDS = 25;

/** The feed of changes for API clients: the same as on the namespace `/live`. */
export const listChanges = endpoint({
  method: 'GET',
  path: '/changes',
  summary: 'List changes since a position that the caller can see, merged by resource',
  access: 'user',
  query: z.object({
    since: z
      .string()
      .max(500)
      .optional()
      .describe('The `position` of an earlier response. Without it, there are no changes, only the current position'),
    tags,
    wait: wholeNumber({
      fallback: 0,
      max: MAX_WAIT_SECONDS,
      description: `How many seconds to wait for a change, if there is none; at most ${MAX_WAIT_SECONDS}`,
    }),
  }),
  response: z.object({
    data: z.array(change),
    people: z.array(userSummary).describe('Every user in the items, once'),
    position: z.string().describe('Everything up to it is included'),
  }),
  status: 200,
  errors: ['position_expired'],
});
