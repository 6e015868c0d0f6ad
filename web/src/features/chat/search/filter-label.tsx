import type { QueryPart } from '@atrium/proto-events/text/message-query';
import { conversationName } from '#entities/conversation/conversation.ts';
import { useConversations } from '#entities/conversation/use-conversations.ts';
import { useListedConversation } from '#entities/conversation/use-known-conversations.ts';
import { useUser } from '#entities/user/use-users.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { isId } from '#lib/paths.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { formatPart, splitQuery } from './search-parts.ts';

/** Writes a filter with the name of its user or conversation. */
export function FilterLabel({ filter }: { filter: QueryPart }) {
  const sign = filter.isExcluded ? '-' : '';
  if (filter.kind === 'from' && isId(filter.value))
    return (
      <>
        {sign}from: <UserName id={filter.value} />
      </>
    );
  if (filter.kind === 'in' && isId(filter.value))
    return (
      <>
        {sign}in: <ConversationName id={filter.value} />
      </>
    );
  return <bdi>{formatPart(filter)}</bdi>;
}

/** Writes a whole query. */
export function QueryLabel({ query }: { query: string }) {
  const { filters, text } = splitQuery(query);
  return (
    <>
      {filters.map((filter) => (
        <span key={filter.start}>
          <FilterLabel filter={filter} />{' '}
        </span>
      ))}
      <bdi>{text}</bdi>
    </>
  );
}

function UserName({ id }: { id: string }) {
  const { data } = useUser(id);
  return <bdi>{data ? displayName(data) : '…'}</bdi>;
}

function ConversationName({ id }: { id: string }) {
  const currentUserId = useCurrentUser()._id;
  const { conversation, error } = useListedConversation(id, useConversations().conversations);
  if (error) return <>unavailable</>;
  return <bdi>{conversation ? conversationName(conversation, currentUserId) : '…'}</bdi>;
}
