import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { useState } from 'react';
import { meetingTimeText } from '#entities/meeting/meeting-labels.ts';
import { useMeeting, useReplacementMeeting } from '#entities/meeting/use-meetings.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { FormFailure, Notice } from '#ui/notice.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { parseTarget, RSVPS, type RsvpLink } from '../rsvp-link.ts';
import { SeriesScopeField } from '../series-scope-field.tsx';
import { type Scope, useMeetingActions } from '../use-meeting-actions.ts';
import { CanceledOccurrence } from './canceled-occurrence.tsx';
import { MeetingDetails } from './meeting-details.tsx';

type Props = {
  link: RsvpLink;
  target: string;
  onClose: () => void;
  onResponded: (id: string) => void;
};

/**
 * Opened by the links in an invitation email. It asks for confirmation, because opening a link must not change anything:
 * mail scanners open links, and anyone can create one.
 */
export function RsvpDialog({ link, target, onClose, onResponded }: Props) {
  const me = useCurrentUser();
  const { id, scope } = parseTarget(target);
  const linked = useMeeting(id);
  const isGone = linked.error?.status === 404;
  // An email about a series links to its first occurrence, which may have been canceled since; the response applies to
  // the remaining ones.
  const replacement = useReplacementMeeting(isGone && scope === 'all' ? id : null);
  const query = isGone ? replacement : linked;
  const meeting = query.data;
  const isUnknown = id === null || query.error?.status === 404;
  const rejectionReason = useRejectionReason(meeting, { isUnknown, isLast: isGone, scope });
  if (id !== null && isGone && scope === 'this')
    return (
      <Dialog onClose={onClose} title="Invitation" isDismissable>
        <CanceledOccurrence
          id={id}
          fallbackText={notInvited(me.email)}
          onView={({ _id }) => onResponded(_id)}
          onClose={onClose}
        />
      </Dialog>
    );
  return (
    <Dialog
      onClose={onClose}
      title={meeting?.title ?? 'Invitation'}
      description={meeting && meetingTimeText(meeting)}
      isDismissable
    >
      {meeting && !rejectionReason ? (
        <RsvpForm
          meeting={meeting}
          link={link}
          scope={scope}
          wasCanceled={isGone}
          onClose={onClose}
          onResponded={onResponded}
        />
      ) : (
        <>
          <DialogBody>
            {rejectionReason ? (
              <Notice>{rejectionReason}</Notice>
            ) : (
              <AsyncContent
                query={query}
                failure="Failed to load the meeting"
                skeletons={<SkeletonRows count={2} hasDisc={false} />}
              >
                {() => null}
              </AsyncContent>
            )}
          </DialogBody>
          <DialogFooter>
            <Button variant="primary" onPress={onClose}>
              Close
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}

const notInvited = (email: string) =>
  `You are no longer invited to this meeting, or it was cancelled. You are signed in as ${email}. If the invitation was sent to another address, sign in with that one.`;

function useRejectionReason(
  meeting: Meeting | undefined,
  { isUnknown, isLast, scope }: { isUnknown: boolean; isLast: boolean; scope: Scope },
): string | undefined {
  const me = useCurrentUser();
  const isInvited = meeting?.participants.some(({ _id }) => _id === me._id);
  if (isUnknown || (meeting && !isInvited)) return notInvited(me.email);
  if (meeting?.organizer._id === me._id) return 'You’re the organizer, so you’re already attending.';
  // A series may have later meetings, which only the server knows.
  if (meeting?.isPast && (isLast || !meeting.isRecurring || scope === 'this'))
    return 'This meeting is over and no longer accepts responses.';
  return undefined;
}

type RsvpFormProps = Pick<Props, 'link' | 'onClose' | 'onResponded'> & {
  meeting: Meeting;
  scope: Scope;
  /** Whether the occurrence in the email was canceled; this meeting is a different one. */
  wasCanceled: boolean;
};

function RsvpForm({ meeting, link, scope: linkedScope, wasCanceled, onClose, onResponded }: RsvpFormProps) {
  const { respond } = useMeetingActions();
  const [scope, setScope] = useState(linkedScope);
  const { status, verb } = RSVPS[link];
  const { run, isBusy, failure } = useAction(async () => {
    const responded = await respond(meeting, status, scope);
    onResponded(responded._id);
  }, 'Failed to respond to meeting');
  return (
    <>
      <DialogBody>
        <MeetingDetails meeting={meeting} />
        {(wasCanceled || meeting.isPast) && (
          <p>
            {wasCanceled && 'The first date was cancelled; this is the next one. '}
            {meeting.isPast && 'This meeting is over. Your response applies to the remaining meetings of the series.'}
          </p>
        )}
        {meeting.isRecurring && !meeting.isPast && (
          <SeriesScopeField label="Respond to" value={scope} onChange={setScope} />
        )}
        <FormFailure failure={failure} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={onClose}>Not now</Button>
        <Button
          variant={link === 'decline' ? 'danger' : 'primary'}
          isBusy={isBusy}
          onPress={() => void run()}
          autoFocus
        >
          {verb}
        </Button>
      </DialogFooter>
    </>
  );
}
