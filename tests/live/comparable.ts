import { isDeepStrictEqual } from 'node:util';

/**
 * Fields that are not compared, because no change on `/live` brings them:
 *
 * - `asOf` and `patches` say which changes a response includes.
 * - `lastLogin`: a sign-in changes it without an event.
 * - `thumbnail`, `thumbnailError`, `text`, and `snippet` are polled while a file is processed.
 * - `isPast` and `newThisMonth` depend on the time.
 */
const IGNORED_FIELDS = new Set([
  'asOf',
  'patches',
  'lastLogin',
  'thumbnail',
  'thumbnailError',
  'text',
  'snippet',
  'isPast',
  'newThisMonth',
]);

/** Fields of some responses, by the beginning of their paths. */
const IGNORED_IN: readonly [path: RegExp, reason: string, fields: readonly string[]][] = [
  [
    /^\/chat\//,
    'messages, reads, and a new manager of the project have events of their own, on `/chat`',
    [
      'lastMessage',
      'lastSeq',
      'revision',
      'lastReadSeq',
      'unreadCount',
      'readRevision',
      'updatedAt',
      'projectManager',
      'abilities',
    ],
  ],
  [
    /^\/meetings(\/project\/\w+|\/upcoming|\/calendar|\/unanswered)?\?/,
    'lists of meetings do not show them, and a change of only these does not make them stale',
    ['notes', 'summary', 'agendaItems', 'updatedAt', 'version'],
  ],
  [/^\/chat\/emoji/, 'links are signed again every two minutes', ['url']],
  [
    /^\/users\/project-managers/,
    'the items of events have more fields than this list',
    [
      'version',
      'phone',
      'location',
      'invited',
      'bio',
      'skills',
      'timezone',
      'joinDate',
      'tasksCompleted',
      'departmentSelfAssigned',
    ],
  ],
];

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The version of a user who appears in another resource is not shown, and changes with fields that are not shown. */
const isUserSummary = (value: Fields) => 'firstName' in value && !('joinDate' in value);

function simplify(value: unknown, ignoredFields: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => simplify(entry, ignoredFields));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(
    ([name, field]) => !ignoredFields.has(name) && !(name === 'version' && isUserSummary(value)) && field !== undefined,
  );
  return Object.fromEntries(entries.map(([name, field]) => [name, simplify(field, ignoredFields)]));
}

/** Conversations are listed by their latest message. */
function sortConversations(response: unknown): unknown {
  if (!isRecord(response) || !Array.isArray(response.data)) return response;
  const data = response.data.toSorted((a, b) => String(a._id).localeCompare(String(b._id)));
  return { ...response, data };
}

function toComparable(key: string, response: unknown): unknown {
  const ignored = IGNORED_IN.flatMap(([path, , fields]) => (path.test(key) ? fields : []));
  const simplified = simplify(response, new Set([...IGNORED_FIELDS, ...ignored]));
  return key.startsWith('/chat/') ? sortConversations(simplified) : simplified;
}

/** Describes the fields in which a cached response differs from a fresh one. */
export function listDifferences(key: string, cached: unknown, fresh: unknown): string[] {
  if (isDeepStrictEqual(cached, fresh)) return [];
  return compare('', toComparable(key, cached), toComparable(key, fresh));
}

function compare(path: string, cached: unknown, fresh: unknown): string[] {
  if (isDeepStrictEqual(cached, fresh)) return [];
  const areArrays = Array.isArray(cached) && Array.isArray(fresh) && cached.length === fresh.length;
  if (!areArrays && !(isRecord(cached) && isRecord(fresh))) return [`${path}: ${show(cached)} is ${show(fresh)}`];
  const [before, after] = [cached, fresh] as [Fields, Fields];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => compare(`${path}.${name}`, before[name], after[name]));
}

const MAX_SHOWN = 300;

/** Items of a list are shown by their ids. */
function show(value: unknown): string {
  const items =
    Array.isArray(value) && value.every(isRecord) ? value.map(({ _id, name, title }) => ({ _id, name, title })) : value;
  return (JSON.stringify(items) ?? 'undefined').slice(0, MAX_SHOWN);
}
