import type { Participant } from '@atrium/proto-events/http/chat/channels';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { isolate } from '@atrium/proto-events/text/isolate';
import { SearchX } from 'lucide-react';
import { useRef, useState } from 'react';
import { useParticipants } from '#entities/conversation/use-participants.ts';
import { usePresence } from '#entities/user/presence.ts';
import { displayName, roleLabel } from '#entities/user/user-labels.ts';
import { type RowProps, UserRow, UserRows } from '#entities/user/user-rows.tsx';
import { useDebounced } from '#lib/hooks/use-debounced.ts';
import { useInView } from '#lib/hooks/use-in-view.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { loadMoreProps } from '#lib/query/paging.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { SearchField } from '#ui/fields/search-field.tsx';
import { PartHeading, Stack } from '#ui/layout/primitives.ts';
import { FormFailure } from '#ui/notice.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { useConversationActions } from '../use-conversation-actions.ts';

/** Smaller conversations need no search. */
const MIN_SEARCHED = 10;

export function ConversationParticipants({ conversation }: { conversation: Conversation }) {
  const { _id: id, participantCount } = conversation;
  const [text, setText] = useState('');
  const [pages, setPages] = useState(1);
  const search = useDebounced(text.trim(), 150);
  const participants = useParticipants({ id, search }, pages);
  const paging = loadMoreProps(participants, pages, setPages);
  const removal = useRemoving(id);
  return (
    <section aria-labelledby="chat-info-people">
      <PartHeading id="chat-info-people">Members ({formatNumber(participantCount)})</PartHeading>
      <Stack $gap={2}>
        {(participantCount >= MIN_SEARCHED || text !== '') && (
          <SearchField
            label="Search members"
            value={text}
            onChange={(value) => {
              setText(value);
              setPages(1);
            }}
          />
        )}
        <FormFailure failure={removal.failure} />
        <AsyncContent query={participants} failure="Failed to load members" skeletons={<SkeletonRows count={3} />}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState icon={<SearchX />} title="No members found" hint="Try another name." />
            ) : (
              <>
                <UserRows label="Members">
                  {data.map((participant) => (
                    <ParticipantRow
                      key={participant._id}
                      participant={participant}
                      conversation={conversation}
                      removal={removal}
                    />
                  ))}
                </UserRows>
                {paging.hasMore && <ShowMore more={paging} />}
              </>
            )
          }
        </AsyncContent>
      </Stack>
    </section>
  );
}

type ParticipantProps = {
  participant: Participant;
  conversation: Conversation;
  removal: ReturnType<typeof useRemoving>;
};

function ParticipantRow({ participant, conversation, removal }: ParticipantProps) {
  const { _id, user, byGroup, removable } = participant;
  const { createdBy, project } = conversation;
  const notes = [
    roleLabel(user.role),
    _id === useCurrentUser()._id && 'You',
    _id === createdBy?._id && 'Creator',
    _id === project?.projectManager && 'Manager',
    byGroup && 'Via department or project',
  ];
  return (
    <PresentRow
      user={user}
      notes={notes}
      onRemove={removable ? () => void removal.run(_id, displayName(user)) : undefined}
      isRemoving={removal.inFlight.includes(_id)}
    />
  );
}

/** Channels can be large, so presence is requested only for visible participants. */
function PresentRow(props: Pick<RowProps, 'notes' | 'onRemove' | 'isRemoving'> & { user: Participant['user'] }) {
  const row = useRef<HTMLLIElement>(null);
  const isSeen = useInView(row);
  const presenceOf = usePresence(isSeen ? [props.user] : []);
  return <UserRow {...props} ref={row} presence={presenceOf(props.user)} />;
}

function useRemoving(conversationId: string) {
  const { removeParticipant } = useConversationActions();
  return useAction(async (id: string, name: string) => {
    await removeParticipant(conversationId, id);
    showSuccess(`${isolate(name)} removed from the conversation`);
  }, 'Failed to remove participant');
}
