import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { isolate } from '@atrium/proto-events/text/isolate';
import { meetingTimeText } from '#entities/meeting/meeting-labels.ts';
import { useReplacementMeeting } from '#entities/meeting/use-meetings.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';

type Props = {
  id: string;
  /** Shown if there is no such meeting. */
  fallbackText: string;
  onView: (meeting: Meeting) => void;
  onClose: () => void;
};

/** Shown for a link to a canceled occurrence; offers the nearest remaining meeting of its series. */
export function CanceledOccurrence({ id, fallbackText, onView, onClose }: Props) {
  const replacement = useReplacementMeeting(id);
  const isGone = replacement.error?.status === 404;
  const next = isGone ? undefined : replacement.data;
  return (
    <>
      <DialogBody>
        {isGone ? (
          <Notice>{fallbackText}</Notice>
        ) : (
          <AsyncContent
            query={replacement}
            failure="Failed to load the meeting"
            skeletons={<SkeletonRows count={2} hasDisc={false} />}
          >
            {(meeting) => <Notice>{canceledText(meeting)}</Notice>}
          </AsyncContent>
        )}
      </DialogBody>
      <DialogFooter>
        <Button variant={next ? 'secondary' : 'primary'} onPress={onClose}>
          Close
        </Button>
        {next && (
          <Button variant="primary" onPress={() => onView(next)} autoFocus>
            {next.isPast ? 'View That Meeting' : 'View Next'}
          </Button>
        )}
      </DialogFooter>
    </>
  );
}

function canceledText(meeting: Meeting): string {
  const which = meeting.isPast
    ? 'The series has ended. Its nearest date was'
    : 'The series continues. The next date is';
  return `This date of “${isolate(meeting.title)}” was cancelled. ${which} ${meetingTimeText(meeting)}.`;
}
