import { type Meeting, updateMeetingBody } from '@atrium/proto-events/http/meetings/meeting-fields';
import { z } from 'zod';
import type { FieldTexts } from '#lib/forms/field-merge.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { useMeetingActions } from '../use-meeting-actions.ts';
import { LiveNotes } from './live-notes.tsx';
import { useLiveNotes } from './use-live-notes.ts';

type Props = { meeting: Meeting; onClose: () => void };

const SUMMARY_MAX = 3000;

export function NotesDialog({ meeting, onClose }: Props) {
  const { update } = useMeetingActions();
  const notes = useLiveNotes(meeting);
  const editing = useVersionedForm({
    resource: meeting,
    valuesOf: toSummaryValues,
    fields: FIELDS,
    schema: summarySchema,
    draft: `meeting:${meeting._id}:notes`,
    // Notes are saved first; they never conflict, because they are merged with those of other users.
    save: async (body, version) => {
      await notes.live.flush();
      return update(meeting._id, { ...body, version });
    },
    messages: { saved: 'Notes and summary added successfully', failed: 'Failed to add notes and summary' },
    onSaved: onClose,
  });
  const { control } = editing;
  return (
    <FormDialog
      form={editing}
      title="Add Meeting Notes & Summary"
      description={meeting.title}
      onClose={onClose}
      resourceLabel="this meeting"
      action="Save Notes"
    >
      <LiveNotes {...notes} />
      <FormField control={control} name="summary">
        {(field) => (
          <TextArea {...field} value={field.value ?? ''} label="Summary" rows={6} maxLength={SUMMARY_MAX} showsCount />
        )}
      </FormField>
    </FormDialog>
  );
}

type SummaryValues = { summary?: string | undefined };

const FIELDS: FieldTexts<SummaryValues> = { summary: 'Summary' };

const summarySchema = z.preprocess((values: SummaryValues) => values, updateMeetingBody);

const toSummaryValues = ({ summary }: Meeting): SummaryValues => ({ summary });
