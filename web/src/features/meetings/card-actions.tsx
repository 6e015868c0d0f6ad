import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { Eye, NotebookPen, Pencil, Trash2 } from 'lucide-react';
import { styled } from 'styled-components';
import { canShowNotes, notesAction } from '#entities/meeting/meeting-labels.ts';
import { useNow } from '#lib/hooks/use-now.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { hiddenInPrint } from '#ui/mixins.ts';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { theme } from '#ui/theme.ts';
import { JoinLink } from './join-link.tsx';

export type MeetingAction = 'view' | 'edit' | 'notes' | 'close' | 'delete';

export type CardActionsProps = {
  meeting: Meeting;
  onAction: (action: MeetingAction, meeting: Meeting) => void;
};

/** Actions by the user's abilities; everyone who has the card can view and join. */
export function CardActions({ meeting, onAction }: CardActionsProps) {
  const { abilities, title } = meeting;
  const now = useNow();
  const act = (action: MeetingAction) => () => onAction(action, meeting);
  return (
    <Row>
      <Button size="sm" variant="ghost" icon={<Eye />} onPress={act('view')} aria-label={`View ${title}`}>
        View
      </Button>
      {abilities.update && (
        <Button size="sm" variant="ghost" icon={<Pencil />} onPress={act('edit')} aria-label={`Edit ${title}`}>
          Edit
        </Button>
      )}
      {canShowNotes(meeting, now) && (
        <Button size="sm" variant="ghost" icon={<NotebookPen />} onPress={act('notes')}>
          {notesAction(meeting)}
        </Button>
      )}
      {abilities.delete && (
        <Tooltip text="Delete">
          <IconButton label={`Delete ${title}`} tone="danger" onPress={act('delete')}>
            <Trash2 />
          </IconButton>
        </Tooltip>
      )}
      <JoinLink meeting={meeting} size="sm" />
    </Row>
  );
}

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: flex-end;
  gap: ${theme.space[1]};
  margin-inline-start: auto;
  > a {
    margin-inline-start: ${theme.space[2]};
  }
  ${theme.media.small} {
    flex: 1 0 100%;
    justify-content: flex-start;
    margin-inline-start: -10px;
    > a {
      margin-inline-start: auto;
    }
  }
  ${hiddenInPrint}
`;
