import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { isSameValue } from '#lib/forms/field-merge.ts';
import type { Conflict } from '#ui/forms/form-notices.tsx';
import type { DecisionValues } from './decisions-field.tsx';

export type CloseValues = { summary: string; decisions: DecisionValues[] };

/** The form of the summary; resolving a conflict of the summary leaves the other fields unchanged. */
type SummaryForm<Context, Out> = UseFormReturn<CloseValues, Context, Out>;

type Summarized = Pick<Meeting, 'summary' | 'version'>;

/** Follows the version saved by others while untouched; otherwise the two conflict until the user chooses one. */
export function useSummary<Context, Out>(meeting: Summarized, form: SummaryForm<Context, Out>) {
  const [base, setBase] = useState(meeting);
  const [otherSummary, setOtherSummary] = useState<string>();
  const { getValues, resetField, formState } = form;
  const isTouched = formState.dirtyFields.summary === true;
  const isNewer = meeting.version > base.version && !formState.isSubmitting;
  useEffect(() => {
    if (!isNewer) return;
    setBase(meeting);
    if (meeting.summary === base.summary) return;
    if (!isTouched) resetField('summary', { defaultValue: meeting.summary });
    // The saved summary may be the user's own, whose response was lost.
    else setOtherSummary(meeting.summary === getValues('summary') ? undefined : meeting.summary);
  }, [isNewer, isTouched, meeting, base, getValues, resetField]);
  const conflict: Conflict | undefined =
    otherSummary === undefined
      ? undefined
      : {
          fields: [{ label: 'Summary', yours: getValues('summary'), theirs: otherSummary }],
          onKeepMine: () => setOtherSummary(undefined),
          onTakeTheirs: () => {
            resetField('summary', { defaultValue: base.summary });
            setOtherSummary(undefined);
          },
        };
  return {
    conflict,
    /** Whether to send it: an untouched summary leaves what others saved. */
    isSent: () => isTouched || getValues('summary') !== base.summary,
    version: base.version,
    /**
     * Call this after a rejected close. Returns the version to retry on if others changed something other than the
     * summary; a changed summary becomes a conflict.
     */
    handleConflict(current: Summarized): number | undefined {
      setBase(current);
      // An identical summary may be this form's own, whose response was lost.
      if (current.summary === base.summary || isSameValue(current.summary, getValues('summary')))
        return current.version;
      setOtherSummary(current.summary);
      return undefined;
    },
    restoreConflict: () => setOtherSummary(base.summary),
  };
}
