import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { FoundMessage } from '@atrium/proto-events/http/chat/search';
import type { QueryPart } from '@atrium/proto-events/text/message-query';
import { ArrowLeft, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { conversationName } from '#entities/conversation/conversation.ts';
import { useConversationsOf } from '#entities/conversation/use-known-conversations.ts';
import { useMessageSearch } from '#entities/message/use-message-search.ts';
import { isComposing } from '#lib/forms/is-composing.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { HiddenOnMobile, MobileOnly } from '#ui/collapsible.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { captionStyles, inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { PaneHeader } from '../pane-header.ts';
import { FilterLabel } from './filter-label.tsx';
import { recordSearch } from './recent-searches.ts';
import { SearchBox } from './search-box.tsx';
import { joinQuery, splitQuery } from './search-parts.ts';
import { SearchResults } from './search-results.tsx';

type Props = {
  /** Of the URL; empty before the first search. */
  query: string;
  conversations: readonly Conversation[] | undefined;
  onSearch: (query: string) => void;
  onOpen: (message: Message) => void;
  onClose: () => void;
};

/** Searches messages, next to the conversation or, on phones, instead of it. */
export function SearchPanel({ query, conversations, onSearch, onOpen, onClose }: Props) {
  const currentUserId = useCurrentUser()._id;
  const { filters, text: searchedText } = splitQuery(query);
  const [text, setText] = useTextOf(searchedText);
  const results = useMessageSearch(query);
  const known = useConversationsOf(
    results.found.map(({ conversation }) => conversation._id),
    conversations,
  );
  const list = useRef<HTMLDivElement>(null);
  const search = (next: string) => {
    const { filters: added, text: rest } = splitQuery(next);
    const joined = joinQuery([...filters, ...added], rest);
    setText(rest);
    if (joined !== '') recordSearch(currentUserId, joined);
    onSearch(joined);
  };
  const remove = (filter: QueryPart) =>
    onSearch(
      joinQuery(
        filters.filter((other) => other !== filter),
        text,
      ),
    );
  const placeOf = ({ conversation, message }: FoundMessage) => {
    const listed = known?.find(({ _id }) => _id === conversation._id);
    const name = listed ? conversationName(listed, currentUserId) : (conversation.title ?? 'Direct message');
    return message.thread?.root ? `${name} · thread` : name;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !isComposing(event)) onClose();
  };
  return (
    <Panel aria-label="Search messages" tabIndex={-1} onKeyDown={onKeyDown}>
      <Head>
        <MobileOnly>
          <IconButton label="Close search" onPress={onClose}>
            <ArrowLeft />
          </IconButton>
        </MobileOnly>
        <SearchBox
          text={text}
          autoFocus={searchedText === ''}
          isInitiallyOpen={query === ''}
          onChange={setText}
          onSearch={search}
          onDown={() => list.current?.querySelector<HTMLElement>('li > button')?.focus()}
        />
        <HiddenOnMobile>
          <IconButton label="Close search" onPress={onClose}>
            <X />
          </IconButton>
        </HiddenOnMobile>
      </Head>
      {filters.length > 0 && (
        <Chips aria-label="Filters">
          {filters.map((filter) => (
            <Chip key={filter.start}>
              <span>
                <FilterLabel filter={filter} />
              </span>
              <IconButton
                label={`Remove filter ${filter.kind}`}
                onPress={({ target }) => {
                  // The focused button is removed with its filter.
                  target.closest('section')?.focus();
                  remove(filter);
                }}
              >
                <X />
              </IconButton>
            </Chip>
          ))}
        </Chips>
      )}
      <Scroll>
        {query === '' ? (
          <Hint>
            Find messages, replies, and files in your conversations. Use quotes for a phrase and a minus sign to exclude
            a word.
          </Hint>
        ) : (
          <SearchResults results={results} placeOf={placeOf} onOpen={onOpen} listRef={list} />
        )}
      </Scroll>
    </Panel>
  );
}

/** Starts again from the text of the URL when that changes, as by Back. */
function useTextOf(searchedText: string) {
  const [state, setState] = useState({ searchedText, text: searchedText });
  if (state.searchedText !== searchedText) setState({ searchedText, text: searchedText });
  const setText = (text: string) => setState((before) => ({ ...before, text }));
  return [state.text, setText] as const;
}

const Panel = styled.section`
  display: flex;
  flex: 1;
  flex-direction: column;
  min-height: 0;
  outline: none;
  border-inline-start: 1px solid ${theme.color.line};
  ${theme.media.small} {
    border-inline-start: 0;
  }
`;

const Head = styled(PaneHeader)`
  padding: 0 ${theme.space[3]} 0 ${theme.space[4]};
  ${theme.media.small} {
    padding: 0 ${theme.space[3]} 0 ${theme.space[1]};
  }
`;

const Chips = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[2]};
  margin: 0;
  padding: ${theme.space[3]} ${theme.space[4]} 0;
  list-style: none;
`;

const Chip = styled.li`
  ${inlineStyles(1)}
  max-width: 100%;
  padding-inline-start: ${theme.space[3]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.full};
  background: ${theme.color.surface};
  font: ${theme.text.sm};
  > span {
    min-width: 0;
    overflow-wrap: anywhere;
  }
`;

const Scroll = styled.div`
  display: flex;
  flex: 1;
  flex-direction: column;
  min-height: 0;
  padding: ${theme.space[3]} ${theme.space[2]};
  overflow-y: auto;
  overscroll-behavior: contain;
`;

/** Below the suggestions, which cover the beginning. */
const Hint = styled.p`
  ${captionStyles}
  margin-block-start: auto;
  padding: 0 ${theme.space[2]};
`;
