import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { Check, CircleHelp, X } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { theme } from '#ui/theme.ts';
import { SeriesScopeField } from './series-scope-field.tsx';
import { type Rsvp, type Scope, useMeetingActions } from './use-meeting-actions.ts';

const CHOICES = [
  { rsvp: 'accepted', label: 'Accept', chosen: 'Accepted', icon: <Check /> },
  { rsvp: 'tentative', label: 'Tentative', chosen: 'Tentative', icon: <CircleHelp /> },
  { rsvp: 'declined', label: 'Decline', chosen: 'Declined', icon: <X /> },
] as const;

export function ResponseButtons({ meeting }: { meeting: Meeting }) {
  const [scopedRsvp, setScopedRsvp] = useState<Rsvp | null>(null);
  const me = useCurrentUser();
  const { respond } = useMeetingActions();
  const currentRsvp = meeting.participants.find(({ _id }) => _id === me._id)?.responseStatus;
  const {
    run: send,
    inFlight,
    failure,
  } = useAction((rsvp: Rsvp) => respond(meeting, rsvp, 'this'), 'Failed to respond to meeting');
  const [sending = null] = inFlight;
  return (
    <Group role="group" aria-label={`Your response to ${meeting.title}`}>
      {CHOICES.map(({ rsvp, label, chosen, icon }) => {
        const isChosen = currentRsvp === rsvp;
        return (
          <Choice key={rsvp} $rsvp={isChosen ? rsvp : null}>
            <Button
              size="sm"
              variant={isChosen ? 'ghost' : 'secondary'}
              icon={icon}
              aria-pressed={isChosen}
              isBusy={sending === rsvp}
              isDisabled={sending !== null && sending !== rsvp}
              onPress={() => (meeting.isRecurring ? setScopedRsvp(rsvp) : void send(rsvp))}
            >
              {isChosen ? chosen : label}
            </Button>
          </Choice>
        );
      })}
      <FormFailure failure={failure} />
      {scopedRsvp && <ResponseScopeDialog meeting={meeting} rsvp={scopedRsvp} onClose={() => setScopedRsvp(null)} />}
    </Group>
  );
}

const Group = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 6px;
  /* Placed below the buttons, and no wider than them. */
  > [data-form-failure] {
    flex: 0 0 100%;
    contain: inline-size;
  }
  ${theme.media.small} {
    width: 100%;
    > span {
      flex: 1 1 0;
      min-width: 0;
    }
  }
`;

const tones = {
  accepted: [theme.color.success, theme.color.successSoft],
  tentative: [theme.color.warning, theme.color.warningSoft],
  declined: [theme.color.danger, theme.color.dangerSoft],
} as const;

/* The pressed button has the color of its response; pressing it again changes nothing. */
const Choice = styled.span<{ $rsvp: Rsvp | null }>`
  display: grid;
  && > button {
    padding-inline: 10px;
    ${theme.media.small} {
      padding-inline: 4px;
      svg {
        display: none;
      }
    }
    ${({ $rsvp }) => $rsvp && `color: ${tones[$rsvp][0]}; background: ${tones[$rsvp][1]};`}
  }
`;

const VERBS = { accepted: 'Accept', tentative: 'Tentative', declined: 'Decline' } as const;

type ScopeDialogProps = { meeting: Meeting; rsvp: Rsvp; onClose: () => void };

function ResponseScopeDialog({ meeting, rsvp, onClose }: ScopeDialogProps) {
  const [scope, setScope] = useState<Scope>('this');
  const { respond } = useMeetingActions();
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={() => respond(meeting, rsvp, scope)}
      title="Respond to recurring meeting"
      action={VERBS[rsvp]}
      failure="Failed to respond to meeting"
      isDangerous={rsvp === 'declined'}
    >
      <SeriesScopeField label="Respond to" value={scope} onChange={setScope} />
    </ConfirmDialog>
  );
}
