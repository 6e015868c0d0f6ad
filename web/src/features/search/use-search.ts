import { matchesSearch } from '@atrium/proto-events/text/search';
import { useLatestConversations } from '#entities/conversation/use-conversations.ts';
import { useProjects } from '#entities/project/use-projects.ts';
import { displayName } from '#entities/user/person.ts';
import { usePeople } from '#entities/user/use-people.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useCurrentUser } from '#lib/session/use-session.ts';
import { conversationResult, type Group, type Page, pageResult, personResult, projectResult } from './results.tsx';

const SHOWN = 5;

/** Results in groups; without a query, pages and the latest conversations. The server searches users and projects. */
export function useSearch(query: string, pages: readonly Page[]) {
  const me = useCurrentUser()._id;
  const asked = useDebounced(query.trim(), 150);
  const people = usePeople(asked || null, SHOWN);
  const projects = useProjects(asked ? { search: asked, limit: SHOWN } : null);
  const conversations = useLatestConversations();
  const fits = (name: string) => matchesSearch(name, query);
  const isLoading = asked !== query.trim() || people.isLoading || projects.isLoading;
  // Until the response arrives, earlier results that still match are shown, so that Enter never opens a wrong one.
  const found = <Item>(answer: { data: Item[] } | undefined, textOf: (item: Item) => string) =>
    asked ? (answer?.data ?? []).filter((item) => !isLoading || fits(textOf(item))) : [];
  const groups: Group[] = [
    { name: 'Pages', results: pages.map(pageResult).filter(({ name }) => fits(name)) },
    {
      name: 'People',
      results: found(people.data, (one) => `${displayName(one)} ${one.email}`).map((one) => personResult(one, me)),
    },
    { name: 'Projects', results: found(projects.data, (one) => `${one.name} ${one.description}`).map(projectResult) },
    {
      name: 'Conversations',
      results: (conversations.data?.data ?? [])
        .map((conversation) => conversationResult(conversation, me))
        .filter(({ name }) => fits(name))
        .slice(0, SHOWN),
    },
  ];
  return {
    groups: groups.filter(({ results }) => results.length > 0),
    isLoading,
    hasFailed: Boolean(asked && (people.error || projects.error)),
  };
}
