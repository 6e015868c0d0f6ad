import type { Closing } from '@atrium/proto-events/http/meetings/closing';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { CircleCheckBig } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { useClosing } from '#entities/meeting/use-closing.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { Button } from '#ui/button.tsx';
import { Box, PartHeading } from '#ui/layout/primitives.ts';
import { captionStyles } from '#ui/mixins.ts';
import { Notice } from '#ui/notice.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { theme } from '#ui/theme.ts';
import { fullTime } from '#ui/times/time-format.ts';
import { DecisionRow } from './decision-row.tsx';
import { useClosingActions } from './use-closing-actions.ts';
import { useRowFocus } from './use-row-focus.ts';

type Props = { meeting: Meeting; onClose: () => void };

export function ClosingPanel({ meeting, onClose }: Props) {
  const closing = useClosing(meeting._id).data;
  if (!closing) return null;
  if (closing.closedAt) return <Closed id={meeting._id} closing={closing} closedAt={closing.closedAt} />;
  return (
    <>
      {closing.abilities.close && <OfferClosing onClose={onClose} />}
      {closing.decisions.length > 0 && (
        <section aria-label="After the meeting">
          <PartHeading $tone="text2">Decisions from before the meeting was reopened</PartHeading>
          <Decisions decisions={closing.decisions} />
        </section>
      )}
    </>
  );
}

function OfferClosing({ onClose }: { onClose: () => void }) {
  return (
    <Offer>
      <p>Has the meeting ended? Its decisions become tasks, and its summary is posted to the project’s conversation.</p>
      <Button size="sm" icon={<CircleCheckBig />} onPress={onClose}>
        Close Meeting
      </Button>
    </Offer>
  );
}

function Decisions({ decisions }: Pick<Closing, 'decisions'>) {
  const rows = useRowFocus(decisions.map(({ _id }) => _id));
  return (
    <ul aria-label="Decisions" {...rows}>
      {decisions.map((decision) => (
        <DecisionRow key={decision._id} decision={decision} />
      ))}
    </ul>
  );
}

function Closed({ id, closing, closedAt }: { id: string; closing: Closing; closedAt: string }) {
  const { post, decisions, closedBy } = closing;
  const text = postText(post);
  return (
    <section aria-label="After the meeting">
      <PartHeading $tone="text2">After the meeting</PartHeading>
      <Box as="p" $below={2}>
        Closed by <bdi>{displayName(closedBy)}</bdi>, {fullTime(closedAt)}
        {post?.state === 'posted' && post.conversation && (
          <>
            {' · '}
            <Link to={`/chat?c=${post.conversation}`} replace>
              Summary in the conversation
            </Link>
          </>
        )}
      </Box>
      {text && <Notice tone={post?.state === 'rejected' ? 'danger' : 'info'}>{text}</Notice>}
      {decisions.length > 0 && <Decisions decisions={decisions} />}
      {closing.abilities.reopen && <ReopenMeeting id={id} />}
    </section>
  );
}

function ReopenMeeting({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const { reopen } = useClosingActions();
  return (
    <>
      <Button size="sm" variant="secondary" onPress={() => setOpen(true)}>
        Reopen Meeting
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => reopen(id)}
        success="Meeting reopened"
        title="Reopen meeting"
        action="Reopen Meeting"
        failure="Failed to reopen meeting"
      >
        <p>
          The summary is removed from the project’s conversation. Notes and decisions stay, with the tasks that were
          created from them. You can then close the meeting again.
        </p>
      </ConfirmDialog>
    </>
  );
}

function postText(post: Closing['post']): string | undefined {
  if (post?.state === 'requested') return 'The summary is being posted to the project’s conversation.';
  if (post?.state === 'rejected') return `The summary could not be posted: ${post.rejection}.`;
  return undefined;
}

const Offer = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[2]} ${theme.space[4]};
  padding: ${theme.space[3]} ${theme.space[4]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
  p {
    flex: 1 1 240px;
    ${captionStyles}
  }
`;
