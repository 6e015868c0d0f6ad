import type { FoundMessage } from '@atrium/proto-events/http/chat/search';
import { createTermLocator } from '@atrium/proto-events/text/locate-terms';
import { parseMessageQuery, type QueryPart } from '@atrium/proto-events/text/message-query';
import { toNeedle } from '@atrium/proto-events/text/message-terms';
import { findUsersByNames } from '@atrium/service-kit/directory/find-by-names';
import { unavailable } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { isStatementTimeout } from '@atrium/service-kit/postgres/database-errors';
import type { Deps } from '../deps.ts';
import { presentListed } from '../messages/present-stored-message.ts';
import { findConversationsByNames } from './find-conversations-by-names.ts';
import { type FoundPage, findMessages } from './find-messages.ts';
import { buildConditions, type ResolvedIds } from './search-conditions.ts';
import { makeSnippet } from './snippet.ts';

/** `signal` cancels the search. */
type Options = { signal: AbortSignal };
type SearchQuery = { q: string; limit: number; before?: string | undefined; timezone?: string | undefined };

/** Of a statement. A search has few of them. */
const TIMEOUT_MS = 3_000;

const NOTHING: FoundPage = { found: [], total: 0, more: false, next: null };

export async function searchMessages(deps: Deps, caller: Caller, { q, signal, ...query }: SearchQuery & Options) {
  const parts = parseMessageQuery(q);
  const { found, ...page } = await findPage(deps, caller, { parts, signal, ...query });
  const messages = await presentListed(deps, caller, found);
  const locate = createTermLocator();
  const data = messages.map((message, index): FoundMessage => {
    const { visible_id = message.conversation, type = 'group', title = null } = found[index] ?? {};
    return { message, conversation: { _id: visible_id, type, title }, snippet: makeSnippet(message, parts, locate) };
  });
  return { data, ...page };
}

type PageQuery = Omit<SearchQuery, 'q'> & Options & { parts: readonly QueryPart[] };

async function findPage(
  deps: Deps,
  { userId }: Caller,
  { parts, limit, before, timezone, signal }: PageQuery,
): Promise<FoundPage> {
  // Only punctuation matches nothing.
  if (!parts.some((part) => part.kind !== 'text' || toNeedle(part))) return NOTHING;
  const senders = await resolve(parts, 'from', (names) => findUsersByNames(deps.directory, names, userId));
  const conversations = await resolve(parts, 'in', (names) => findConversationsByNames(deps.db, names, userId));
  if (senders.included?.length === 0 || conversations.included?.length === 0) return NOTHING;
  const timeZone = timezone ?? deps.directory.user(userId)?.timezone ?? 'UTC';
  const conditions = buildConditions({ parts, viewerId: userId, timeZone, senders, conversations });
  try {
    return await deps.db.readWithin(TIMEOUT_MS, (tx) => findMessages(tx, conditions, { limit, before }), signal);
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw unavailable(
      'This search takes too long. Add a word that fewer messages have, or a filter such as in:',
      error,
    );
  }
}

type FindIds = (values: readonly string[]) => string[] | Promise<string[]>;

/** Replaces the values of an operator by ids. Several values are alternatives. */
async function resolve(parts: readonly QueryPart[], kind: 'from' | 'in', findIds: FindIds): Promise<ResolvedIds> {
  const listIds = async (isExcluded: boolean) => {
    const values = parts.flatMap((part) => (part.kind === kind && part.isExcluded === isExcluded ? [part.value] : []));
    return values.length === 0 ? undefined : [...new Set(await findIds([...new Set(values)]))];
  };
  return { included: await listIds(false), excluded: (await listIds(true)) ?? [] };
}
