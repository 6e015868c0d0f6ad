import type { Channel } from '@atrium/proto-events/http/chat/channels';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { Hash, SearchX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { useChannels } from '#entities/conversation/use-channels.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { SearchField } from '#ui/fields/search-field.tsx';
import { Switch } from '#ui/fields/toggles.tsx';
import { IconTile } from '#ui/layout/icon-tile.ts';
import { TwoLineText } from '#ui/layout/primitives.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { useConversationActions } from '../use-conversation-actions.ts';
import { ChannelCaption } from './channel-caption.tsx';

type Props = { onClose: () => void; onOpen: (conversation: Pick<Conversation, '_id'>) => void };

export function BrowseChannelsDialog({ onClose, onOpen }: Props) {
  const [text, setText] = useState('');
  const [isArchived, setArchived] = useState(false);
  const [pages, setPages] = useState(1);
  const search = useDebounced(text.trim(), 150);
  const channels = useChannels({ search, archived: isArchived }, pages);
  const paging = loadMoreProps(channels, pages, setPages);
  const change = (apply: () => void) => {
    setPages(1);
    apply();
  };
  return (
    <Dialog
      onClose={onClose}
      title="Browse channels"
      description="Public channels that everyone can join."
      isDismissable
    >
      <Body>
        <Filters role="search">
          <SearchField
            label="Search channels"
            value={text}
            onChange={(value) => change(() => setText(value))}
            autoFocus
          />
          <Switch isSelected={isArchived} onChange={(value) => change(() => setArchived(value))}>
            Archived
          </Switch>
        </Filters>
        <AsyncContent query={channels} failure="Failed to load channels" skeletons={<SkeletonRows count={5} />}>
          {({ data }) =>
            data.length === 0 ? (
              <NoChannels isSearch={search !== ''} isArchived={isArchived} />
            ) : (
              <>
                <List aria-label="Channels">
                  {data.map((channel) => (
                    <ChannelRow key={channel._id} channel={channel} onOpen={onOpen} />
                  ))}
                </List>
                {paging.hasMore && <ShowMore more={paging} />}
              </>
            )
          }
        </AsyncContent>
      </Body>
    </Dialog>
  );
}

function ChannelRow({ channel, onOpen }: { channel: Channel; onOpen: Props['onOpen'] }) {
  const currentUserId = useCurrentUser()._id;
  const { join } = useConversationActions();
  const { _id, title, purpose, participantCount, joined, archived } = channel;
  const isShown = useIsShown();
  const action = useAction(async () => {
    const joinedChannel = await join(_id, currentUserId);
    // Someone who has closed the dialog is elsewhere.
    if (isShown.current) onOpen(joinedChannel);
  }, 'Failed to join channel');
  return (
    <Row>
      <IconTile $size={36} aria-hidden="true">
        <Hash />
      </IconTile>
      <TwoLineText>
        <strong title={title} dir="auto">
          {title}
        </strong>
        <small title={purpose}>
          <ChannelCaption participantCount={participantCount} purpose={purpose} />
        </small>
      </TwoLineText>
      {joined && (
        <Button size="sm" variant="ghost" aria-label={`Open ${title}`} onPress={() => onOpen({ _id })}>
          Open
        </Button>
      )}
      {!joined && !archived && (
        <Button size="sm" aria-label={`Join ${title}`} onPress={() => void action.run()} isBusy={action.isBusy}>
          Join
        </Button>
      )}
    </Row>
  );
}

function useIsShown() {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

function NoChannels({ isSearch, isArchived }: { isSearch: boolean; isArchived: boolean }) {
  if (isSearch) return <EmptyState icon={<SearchX />} title="No channels found" hint="Try another name or topic." />;
  return isArchived ? (
    <EmptyState icon={<Hash />} title="No archived channels" />
  ) : (
    <EmptyState icon={<Hash />} title="No public channels yet" hint="Public channels will appear here." />
  );
}

/** As high as a filled list, so that the dialog does not move while typing. */
const Body = styled(DialogBody)`
  height: 480px;
`;

const Filters = styled.div`
  display: flex;
  flex: none;
  align-items: center;
  gap: ${theme.space[4]};
  padding: 4px;
  margin: -4px;
`;

const List = styled.ul`
  > li + li {
    border-top: 1px solid ${theme.color.line};
  }
`;

const Row = styled.li`
  display: grid;
  grid-template-columns: 36px minmax(0, 1fr) auto;
  gap: ${theme.space[3]};
  align-items: center;
  min-height: 60px;
`;
