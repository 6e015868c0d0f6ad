import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { isolate } from '@atrium/proto-events/text/isolate';
import { whenWords } from '../../../entities/meeting/meeting-labels.ts';
import { useMeetingInstead } from '../../../entities/meeting/use-meetings.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { DialogBody, DialogFooter } from '../../../ui/overlays/dialog.tsx';
import { AsyncContent } from '../../../ui/pages/async-content.tsx';
import { SkeletonRows } from '../../../ui/pages/skeleton.tsx';

type Props = {
  /** Of a meeting that is not there, or that this person may not see. */
  id: string;
  /** What is said where there is no other. */
  otherwise: string;
  onView: (meeting: Meeting) => void;
  onClose: () => void;
};

/** Where the link to a meeting leads that is gone: to what is left of its series, if it was a date of one. */
export function CancelledDate({ id, otherwise, onView, onClose }: Props) {
  const answer = useMeetingInstead(id);
  const isGone = answer.error?.status === 404;
  const next = isGone ? undefined : answer.data;
  return (
    <>
      <DialogBody>
        {isGone ? (
          <Notice>{otherwise}</Notice>
        ) : (
          <AsyncContent
            of={answer}
            failure="Failed to load the meeting"
            skeletons={<SkeletonRows count={2} hasDisc={false} />}
          >
            {(meeting) => <Notice>{cancelledWords(meeting)}</Notice>}
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

/** What is said of a date by the one that is left of its series. */
function cancelledWords(meeting: Meeting): string {
  const which = meeting.isPast
    ? 'The series has ended. Its nearest date was'
    : 'The series continues. The next date is';
  return `This date of “${isolate(meeting.title)}” was cancelled. ${which} ${whenWords(meeting)}.`;
}
