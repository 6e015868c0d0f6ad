import { closeMeeting } from '@atrium/proto-events/http/meetings/closing';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { hasVisibleText } from '@atrium/proto-events/text/normalize';
import { z } from 'zod';
import { useProject } from '#entities/project/use-projects.ts';
import { getConflict, showFieldErrors } from '#lib/api/server-errors.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { useEntryForm } from '#lib/forms/use-entry-form.ts';
import { useStoredDraft } from '#lib/forms/use-stored-draft.ts';
import { useIdempotencyKey } from '#lib/hooks/use-idempotency-key.ts';
import { TextArea } from '#ui/fields/text-area.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { reportFailure, showSuccess } from '#ui/overlays/toast.ts';
import { assigneeOptions } from '../form/user-select.tsx';
import { DecisionsField, EMPTY_DECISION } from './decisions-field.tsx';
import { type ClosedMeeting, useClosingActions } from './use-closing-actions.ts';
import { type CloseValues, useSummary } from './use-summary.ts';

type Props = { meeting: Meeting; onClose: () => void };

const SUMMARY_MAX = 3000;

const schema = z.custom<CloseValues>().transform(({ summary, decisions }, context) => {
  const body = {
    summary,
    decisions: decisions
      .filter(({ text }) => hasVisibleText(text))
      .map(({ text, assignedTo, dueDate }) => ({ text, assignedTo: assignedTo || null, dueDate: dueDate || null })),
  };
  const result = closeMeeting.body.safeParse(body);
  if (result.success) return body;
  for (const { path, message } of result.error.issues)
    context.addIssue({ code: 'custom', path: path.slice(0, 1), message });
  return z.NEVER;
});

/** Closes the meeting at the version that the summary is based on; if the summary has changed, the user chooses. */
function useClose(draftKey: string, summary: Pick<ReturnType<typeof useSummary>, 'version' | 'handleConflict'>) {
  const { close } = useClosingActions();
  // The version is not part of the idempotency key, so that a retry repeats the same close.
  return useIdempotencyKey(draftKey, async (closed: ClosedMeeting, key) => {
    for (let version = summary.version; ; ) {
      try {
        return await close(closed, version, key);
      } catch (error) {
        const current = getConflict<Meeting>(error);
        const next = current && summary.handleConflict(current);
        if (next === undefined) throw error;
        version = next;
      }
    }
  });
}

export function CloseMeetingDialog({ meeting, onClose }: Props) {
  const project = useProject(meeting.project).data;
  const defaultValues: CloseValues = { summary: meeting.summary, decisions: [EMPTY_DECISION] };
  const form = useEntryForm({ schema, defaultValues });
  const draftKey = `meeting:${meeting._id}:closing`;
  const summary = useSummary(meeting, form);
  const draft = useStoredDraft(form, draftKey, { onConflict: summary.restoreConflict });
  const close = useClose(draftKey, summary);
  const people = assigneeOptions(project ? [project.projectManager, ...project.teamMembers] : meeting.participants);
  const submit = form.handleSubmit(async ({ decisions, ...texts }) => {
    try {
      await close({ id: meeting._id, body: { decisions, ...(summary.isSent() && texts) } });
      showSuccess('Meeting closed');
      onClose();
    } catch (error) {
      // The conflict is shown next to the field.
      if (getConflict<Meeting>(error)) return;
      const isPlaced = showFieldErrors(error, ['summary', 'decisions'], form.setError);
      reportFailure({ form, isPlaced }, error, 'Failed to close the meeting');
    }
  });
  const { control } = form;
  return (
    <FormDialog
      form={{ form, draft, conflict: summary.conflict, submit }}
      title="Close Meeting"
      description={meeting.title}
      width="lg"
      onClose={onClose}
      resourceLabel="the summary"
      action="Close Meeting"
    >
      <Notice>
        {meeting.project === null
          ? 'This meeting has no project. Its decisions stay with the meeting and are visible to the people invited.'
          : `Decisions become tasks in ${project?.name ?? 'its project'}, which everyone can see. The summary is posted in the project’s conversation, also for members who did not attend.`}
      </Notice>
      <FormField control={control} name="summary">
        {(field) => <TextArea {...field} label="Summary" rows={5} maxLength={SUMMARY_MAX} showsCount />}
      </FormField>
      <FormField control={control} name="decisions">
        {({ value, onChange, error }) => (
          <DecisionsField value={value} onChange={onChange} error={error} people={people} />
        )}
      </FormField>
    </FormDialog>
  );
}
