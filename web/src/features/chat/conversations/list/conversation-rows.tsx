import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { Compass, MessagesSquare, SearchX } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef } from 'react';
import { styled } from 'styled-components';
import type { useConversations } from '#entities/conversation/use-conversations.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { useUnreadIds } from '#realtime/unread.ts';
import { Button } from '#ui/button.tsx';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { ConversationRow } from './conversation-row.tsx';
import { ConversationSection } from './conversation-section.tsx';
import { filterConversations, isFiltered, type ListFilter, toSections } from './conversation-sections.ts';
import { RowMenu } from './row-menu.tsx';

type Props = {
  ref: RefObject<HTMLDivElement | null>;
  list: ReturnType<typeof useConversations>;
  filter: ListFilter;
  selected: string | null;
  isFromList: boolean;
  onBrowse: () => void;
};

export function ConversationRows({ ref, list, filter, selected, isFromList, onBrowse }: Props) {
  const currentUserId = useCurrentUser()._id;
  const conversations = list.conversations ?? NONE;
  const unreadIds = useUnreadIds(conversations);
  const earlier = useFocusOnMore(ref, list);
  useCompleteList(list, isFiltered(filter));
  const state = { currentUserId, selected, unreadIds };
  const shown = filterConversations(conversations, filter, state);
  const canMatchEarlier = isFiltered(filter) && earlier.hasMore;
  return (
    <AsyncContent
      query={{ ...list, data: list.conversations }}
      failure="Failed to load conversations"
      skeletons={<SkeletonRows count={7} />}
    >
      {() => (
        <>
          {conversations.length === 0 && <NoConversations onBrowse={onBrowse} />}
          {shown.length === 0 && canMatchEarlier && !earlier.error && <SkeletonRows count={3} />}
          {conversations.length > 0 && shown.length === 0 && !canMatchEarlier && (
            <EmptyState icon={<SearchX />} title="No conversations found" hint={noneHint(filter)} />
          )}
          <RowMenu conversations={conversations}>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the links in it */}
            <div ref={ref} onKeyDown={moveFocus}>
              {toSections(shown).map((section) => (
                <ConversationSection key={section.id} section={section} state={state} isFiltered={isFiltered(filter)}>
                  {(conversation) => (
                    <ConversationRow
                      key={conversation._id}
                      conversation={conversation}
                      currentUserId={currentUserId}
                      isOpen={conversation._id === selected}
                      isFromList={isFromList}
                    />
                  )}
                </ConversationSection>
              ))}
            </div>
          </RowMenu>
          {earlier.hasMore && (
            <More>
              <ShowMore more={earlier} />
            </More>
          )}
        </>
      )}
    </AsyncContent>
  );
}

const NONE: Conversation[] = [];

const noneHint = ({ text }: ListFilter) =>
  text.trim() === '' ? 'You have read everything.' : 'Try another name, or browse channels.';

function NoConversations({ onBrowse }: Pick<Props, 'onBrowse'>) {
  return (
    <EmptyState
      icon={<MessagesSquare />}
      title="No conversations yet"
      hint="Channels, project conversations, and direct messages will appear here."
      action={
        <Button icon={<Compass />} onPress={onBrowse}>
          Browse channels
        </Button>
      }
    />
  );
}

/** A filter applies to all conversations, so it loads them. */
function useCompleteList({ earlier }: Props['list'], isNeeded: boolean): void {
  const { hasMore, isLoading, error, load } = earlier;
  useEffect(() => {
    if (isNeeded && hasMore && !isLoading && !error) load();
  });
}

/** The "More" button disappears with the last page, so focus moves to the first newly loaded conversation. */
function useFocusOnMore(rows: Props['ref'], { conversations, earlier }: Props['list']) {
  const idsBefore = useRef<Set<string>>(undefined);
  const ids = useMemo(() => new Set(conversations?.map(({ _id }) => _id)), [conversations]);
  useEffect(() => {
    const before = idsBefore.current;
    if (before === undefined || ids.size <= before.size) return;
    const links = [...(rows.current?.querySelectorAll('a') ?? [])];
    links.find(({ dataset }) => !before.has(dataset.conversation ?? ''))?.focus({ preventScroll: true });
    idsBefore.current = undefined;
  }, [ids, rows]);
  const load = () => {
    idsBefore.current = ids;
    earlier.load();
  };
  return { ...earlier, load };
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.altKey) return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  const index = links.findIndex((link) => link.matches(':focus'));
  const next = index === -1 ? undefined : links[index + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const More = styled.div`
  padding: 0 ${theme.space[4]} ${theme.space[4]};
`;
