import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { DecisionValues } from './decisions-field.tsx';

export type CloseValues = { summary: string; decisions: DecisionValues[] };

/** The summary by itself: a choice about it leaves the decisions of the form as they are. */
type SummaryForm<Context, Out> = UseFormReturn<CloseValues, Context, Out>;

/**
 * The summary in the form that closes a meeting, which others may save meanwhile: it follows theirs while it is untouched. What was typed and what
 * they saved is `theirs` until one of both is chosen.
 */
export function useSummary<Context, Out>(
  meeting: Pick<Meeting, 'summary' | 'version'>,
  form: SummaryForm<Context, Out>,
) {
  const [base, standOn] = useState(meeting);
  const [theirs, setTheirs] = useState<string>();
  const { getValues, resetField, formState } = form;
  const isTouched = formState.dirtyFields.summary === true;
  const isNewer = meeting.version > base.version && !formState.isSubmitting;
  useEffect(() => {
    if (!isNewer) return;
    standOn(meeting);
    if (meeting.summary === base.summary) return;
    if (!isTouched) resetField('summary', { defaultValue: meeting.summary });
    // What comes back may be one's own, of which the answer was lost.
    else setTheirs(meeting.summary === getValues('summary') ? undefined : meeting.summary);
  }, [isNewer, isTouched, meeting, base, getValues, resetField]);
  return {
    theirs,
    /** Whether it goes with what is sent: one that nobody typed here leaves what others saved. */
    isSent: () => isTouched || getValues('summary') !== base.summary,
    /** What was typed before somebody saved theirs has come back: the same choice. */
    meetBase: () => setTheirs(base.summary),
    keepMine: () => setTheirs(undefined),
    takeTheirs() {
      resetField('summary', { defaultValue: base.summary });
      setTheirs(undefined);
    },
  };
}
