import { CalendarClock, PencilLine } from 'lucide-react';
import { styled } from 'styled-components';
import { useScheduled } from '#entities/message/use-scheduled.ts';
import { Badge } from '#ui/badge.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { useDraftList } from '../../sending/draft-list.ts';
import { LATER, type LaterView } from './use-selection.ts';
import { ViewLink } from './view-link.tsx';

type Props = { open: LaterView | null; isFromList: boolean };

/** Lead from the list of conversations to the drafts and the scheduled messages, if there are any. */
export function LaterLinks({ open, isFromList }: Props) {
  const draftCount = useDraftList().length;
  const scheduled = useScheduled().data?.data ?? [];
  const failedCount = scheduled.filter(({ failure }) => failure !== null).length;
  return (
    <>
      {(draftCount > 0 || open === 'drafts') && (
        <ViewLink to={`?${LATER}=drafts`} icon={<PencilLine />} isOpen={open === 'drafts'} isFromList={isFromList}>
          <span>Drafts</span>
          <Count count={draftCount} label={draftCount === 1 ? 'draft' : 'drafts'} />
        </ViewLink>
      )}
      {(scheduled.length > 0 || open === 'scheduled') && (
        <ViewLink
          to={`?${LATER}=scheduled`}
          icon={<CalendarClock />}
          isOpen={open === 'scheduled'}
          isFromList={isFromList}
        >
          <span>Scheduled</span>
          {failedCount > 0 ? (
            <Badge count={failedCount} label="not sent" tone="danger" />
          ) : (
            <Count count={scheduled.length} label="scheduled" />
          )}
        </ViewLink>
      )}
    </>
  );
}

/** Nothing that waits for the user, so that it does not stand out as a badge. */
function Count({ count, label }: { count: number; label: string }) {
  return (
    <Quiet>
      <span aria-hidden="true">{count}</span>
      <VisuallyHidden>{`${count} ${label}`}</VisuallyHidden>
    </Quiet>
  );
}

const Quiet = styled.span`
  position: relative;
  min-width: 20px;
  font: ${theme.text.xs};
  font-variant-numeric: tabular-nums;
  text-align: center;
  color: ${theme.color.text2};
`;
