import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { SearchType } from '@atrium/proto-events/http/search/everything';
import { isolate } from '@atrium/proto-events/text/isolate';
import { createMatcher } from '@atrium/proto-events/text/search';
import { Hash, History, ListFilter } from 'lucide-react';
import { conversationName, otherParticipant } from '#entities/conversation/conversation.ts';
import { useConversations } from '#entities/conversation/use-conversations.ts';
import { useEverything } from '#entities/search/everything.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { countPeople } from '#entities/user/user-labels.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { listActions, listSettings, type Page, pageResult } from './commands.tsx';
import { toResults } from './found-results.tsx';
import { type Group, type Result, TYPE_LABELS } from './result.ts';
import { parseSearchQuery, type SearchQuery, searchedTypes } from './search-query.ts';
import { listVisited, type VisitedResult } from './visited-results.ts';

const MAX_RESULTS_PER_GROUP = 5;
const MAX_RESULTS_OF_ONE_TYPE = 20;
const DEBOUNCE_MS = 120;
/** Found by names and short texts. Longer texts arrive later, and are shown below. */
const FAST_TYPES: readonly SearchType[] = ['person', 'project', 'task', 'meeting'];

/** Searches what the device knows immediately, and everything else on the server. */
export function useSearch(query: string, { pages, type }: { pages: readonly Page[]; type: SearchType | undefined }) {
  const { _id: currentUserId } = useCurrentUser();
  const typed = query.trim();
  const settled = useDebounced(typed, DEBOUNCE_MS);
  const parsed = parseSearchQuery(settled);
  const searched = { ...parsed, type: type ?? parsed.type };
  const found = useFound(searched);
  const isCurrent = settled === typed;
  const current = parseSearchQuery(typed);
  const knownGroups = useKnownGroups(current.text, pages);
  // Results of another query are never shown, so that Enter never opens a wrong one.
  const serverGroups = isCurrent ? found.groups : [];
  const groups = [
    ...(type || current.type ? [] : knownGroups),
    ...serverGroups.map((group) => ({ name: TYPE_LABELS[group.type], results: toResults(group, currentUserId) })),
    ...(serverGroups.length > 0 && found.groups.some(({ total }) => total > 0) ? [allResults(settled, type)] : []),
  ];
  return {
    groups: groups.filter(({ results }) => results.length > 0),
    isLoading: !isCurrent || found.isLoading,
    hasFailed: isCurrent && found.hasFailed,
    missing: isCurrent ? found.missing : [],
  };
}

/** Requests fast and slow types separately. The slow ones are shown after the fast ones, so that nothing moves. */
function useFound(query: SearchQuery) {
  const limit = query.type ? MAX_RESULTS_OF_ONE_TYPE : MAX_RESULTS_PER_GROUP;
  const requested = searchedTypes(query);
  const isFast = (candidate: SearchType) => FAST_TYPES.includes(candidate);
  const fast = useEverything(query.text, { types: requested.filter(isFast), limit });
  const slow = useEverything(query.text, { types: requested.filter((candidate) => !isFast(candidate)), limit });
  const shown = query.text === '' || fast.isLoading ? [] : [fast.data, slow.isLoading ? undefined : slow.data];
  return {
    groups: shown.flatMap((response) => response?.groups ?? []),
    missing: shown.flatMap((response) => response?.missing ?? []),
    isLoading: fast.isLoading || slow.isLoading,
    // A canceled request has an error until it is repeated.
    hasFailed: [fast, slow].some(({ error, isLoading }) => error !== undefined && !isLoading),
  };
}

function useKnownGroups(query: string, pages: readonly Page[]): Group[] {
  const user = useCurrentUser();
  const { conversations = [] } = useConversations(query !== '');
  const matches = createMatcher(query);
  const filter = (results: readonly Result[]) => results.filter(({ name }) => matches(name));
  const isFound = query !== '';
  return [
    {
      name: 'Recent',
      results: filter(listVisited(user._id).map(visitedResult)).slice(0, isFound ? 3 : MAX_RESULTS_PER_GROUP),
    },
    { name: 'Actions', results: filter(listActions(user)) },
    { name: 'Pages', results: filter(pages.map(pageResult)) },
    { name: 'Settings', results: isFound ? filter(listSettings(user)) : [] },
    {
      name: 'Conversations',
      results: isFound
        ? filter(conversations.map((conversation) => conversationResult(conversation, user._id))).slice(
            0,
            MAX_RESULTS_PER_GROUP,
          )
        : [],
    },
  ];
}

const visitedResult = ({ to, name, detail }: VisitedResult): Result => ({
  id: `result-visited-${encodeURIComponent(to)}`,
  name,
  detail,
  to,
  icon: <History aria-hidden="true" />,
});

function allResults(query: string, type: SearchType | undefined): Group {
  const to = `/search?${new URLSearchParams({ q: query, ...(type && { type }) })}`;
  const results: Result[] = [
    { id: 'result-all', name: `See all results for “${isolate(query)}”`, to, icon: <ListFilter aria-hidden="true" /> },
  ];
  return { name: 'All results', results };
}

function conversationResult(conversation: Conversation, currentUserId: string): Result {
  const { _id, type } = conversation;
  const other = otherParticipant(conversation, currentUserId);
  const isDirect = type === 'direct' && other !== undefined;
  return {
    id: `result-${_id}`,
    name: conversationName(conversation, currentUserId),
    detail: isDirect ? 'Direct message' : countPeople(conversation.participantCount, 'member'),
    to: `/chat?c=${_id}`,
    icon: isDirect ? <Avatar user={other} size={24} /> : <Hash aria-hidden="true" />,
  };
}
