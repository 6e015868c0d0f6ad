import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { matchesSearch } from '@atrium/proto-events/text/search';
import { useState } from 'react';
import { styled } from 'styled-components';
import { conversationName, otherParticipant } from '#entities/conversation/conversation.ts';
import { ConversationAvatar } from '#entities/conversation/conversation-avatar.tsx';
import { useConversations } from '#entities/conversation/use-conversations.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { useUsers } from '#entities/user/use-users.ts';
import { displayName, roleAndDepartment } from '#entities/user/user-labels.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { NoOptions, OptionList, OptionRow } from '#ui/fields/option.tsx';
import { SearchField } from '#ui/fields/search-field.tsx';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';

/** A conversation, or a person the user has not written to yet. */
export type Target = { kind: 'conversation' | 'user'; id: string; name: string };

type Props = { value: Target | null; onChange: (target: Target | null) => void };

const MAX_PEOPLE = 20;

/** A searchable list of the conversations in which the user can write, and of people. */
export function TargetPicker({ value, onChange }: Props) {
  const currentUserId = useCurrentUser()._id;
  const [text, setText] = useState('');
  const search = useDebounced(text.trim());
  // A choice that the next search may hide would be forwarded to unnoticed.
  const changeSearch = (next: string) => {
    setText(next);
    if (value) onChange(null);
  };
  const { conversations, earlier, ...list } = useConversations(true);
  const people = useUsers(search === '' ? null : search, MAX_PEOPLE);
  const writable = (conversations ?? []).filter(({ abilities }) => abilities.post);
  const found = writable.filter((conversation) => matchesSearch(searchText(conversation, currentUserId), text));
  const written = new Set(writable.flatMap((conversation) => directPartner(conversation, currentUserId)));
  // Without a search, the response to the previous one is still there.
  const matches = search === '' ? [] : (people.data?.data ?? []);
  const others = matches.filter(({ _id }) => _id !== currentUserId && !written.has(_id));
  const targets = new Map<string, Target>([
    ...found.map((conversation) =>
      toEntry('conversation', conversation._id, conversationName(conversation, currentUserId)),
    ),
    ...others.map((user) => toEntry('user', user._id, displayName(user))),
  ]);
  return (
    <Frame role="group" aria-label="Forward to">
      <SearchField label="Search conversations and people" value={text} onChange={changeSearch} autoFocus />
      <AsyncContent
        query={{ ...list, data: conversations }}
        failure="Failed to load conversations"
        skeletons={<SkeletonRows count={4} />}
      >
        {() => (
          <Rows
            aria-label="Conversations and people"
            selectionMode="single"
            selectedKeys={value ? [value.id] : []}
            onSelectionChange={(keys) => {
              const [id] = keys === 'all' ? [] : keys;
              onChange(targets.get(String(id)) ?? null);
            }}
            renderEmptyState={() => (
              <NoOptions>{people.isValidating || earlier.isLoading ? 'Searching' : 'No match'}</NoOptions>
            )}
          >
            {found.map((conversation) => (
              <OptionRow
                key={conversation._id}
                option={{
                  value: conversation._id,
                  label: conversationName(conversation, currentUserId),
                  leading: <ConversationAvatar conversation={conversation} currentUserId={currentUserId} />,
                }}
              />
            ))}
            {others.map((user) => (
              <OptionRow
                key={user._id}
                option={{
                  value: user._id,
                  label: displayName(user),
                  description: roleAndDepartment(user) || user.email,
                  leading: <Avatar user={user} size={36} />,
                }}
              />
            ))}
          </Rows>
        )}
      </AsyncContent>
    </Frame>
  );
}

const toEntry = (kind: Target['kind'], id: string, name: string): [string, Target] => [id, { kind, id, name }];

const searchText = (conversation: Conversation, currentUserId: string): string =>
  `${conversationName(conversation, currentUserId)} ${conversation.purpose}`;

const directPartner = (conversation: Conversation, currentUserId: string): string[] => {
  const user = conversation.type === 'direct' ? otherParticipant(conversation, currentUserId) : undefined;
  return user ? [user._id] : [];
};

const Frame = styled.div`
  display: grid;
  gap: ${theme.space[2]};
`;

const Rows = styled(OptionList)`
  max-height: 260px;
  overflow-y: auto;
`;
