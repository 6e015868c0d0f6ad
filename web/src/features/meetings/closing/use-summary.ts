import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { isSameValue } from '../../../lib/forms/merge-values.ts';
import type { DecisionValues } from './decisions-field.tsx';

export type CloseValues = { summary: string; decisions: DecisionValues[] };

/** The summary by itself: a choice about it leaves the decisions of the form as they are. */
type SummaryForm<Context, Out> = UseFormReturn<CloseValues, Context, Out>;

type Summarized = Pick<Meeting, 'summary' | 'version'>;

/**
 * The summary in the form that closes a meeting, which others may save meanwhile: it follows theirs while it is untouched. What was typed and what
 * they saved is `theirs` until one of both is chosen.
 */
export function useSummary<Context, Out>(meeting: Summarized, form: SummaryForm<Context, Out>) {
  const [base, rebaseOn] = useState(meeting);
  const [theirs, setTheirs] = useState<string>();
  const { getValues, resetField, formState } = form;
  const isTouched = formState.dirtyFields.summary === true;
  const isNewer = meeting.version > base.version && !formState.isSubmitting;
  useEffect(() => {
    if (!isNewer) return;
    rebaseOn(meeting);
    if (meeting.summary === base.summary) return;
    if (!isTouched) resetField('summary', { defaultValue: meeting.summary });
    // What comes back may be one's own, of which the answer was lost.
    else setTheirs(meeting.summary === getValues('summary') ? undefined : meeting.summary);
  }, [isNewer, isTouched, meeting, base, getValues, resetField]);
  return {
    theirs,
    /** Whether it goes with what is sent: one that nobody typed here leaves what others saved. */
    isSent: () => isTouched || getValues('summary') !== base.summary,
    /** On which it was typed. */
    version: base.version,
    /**
     * What a close was refused for: others have saved since. Answers on which version to send it again, where they saved something else than the
     * summary; what they made of that is a choice.
     */
    meet(current: Summarized): number | undefined {
      rebaseOn(current);
      // The same summary as typed here may be this form's own, of which the response was lost.
      if (current.summary === base.summary || isSameValue(current.summary, getValues('summary')))
        return current.version;
      setTheirs(current.summary);
      return undefined;
    },
    /** What was typed before somebody saved theirs has come back: the same choice. */
    meetBase: () => setTheirs(base.summary),
    keepMine: () => setTheirs(undefined),
    takeTheirs() {
      resetField('summary', { defaultValue: base.summary });
      setTheirs(undefined);
    },
  };
}
