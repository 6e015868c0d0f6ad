import type { Document } from '@atrium/proto-events/http/documents';
import { zodResolver } from '@hookform/resolvers/zod';
import { VISIBILITY_LABELS } from '../../entities/document/document-words.ts';
import { showFieldErrors } from '../../lib/api/server-errors.ts';
import { FormField } from '../../lib/forms/form-field.tsx';
import { useBase } from '../../lib/forms/use-base.ts';
import { useEntryForm } from '../../lib/forms/use-entry-form.ts';
import { useStoredDraft } from '../../lib/forms/use-stored-draft.ts';
import { EditNotices } from '../../ui/edit-notices.tsx';
import { RadioGroup } from '../../ui/fields/radio-group.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { FormFoot } from '../../ui/form-foot.tsx';
import { Dialog, DialogBody } from '../../ui/overlays/dialog.tsx';
import { showFailure } from '../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';
import { editDocumentSchema } from './document-schema.ts';
import { useDocumentActions } from './use-document-actions.ts';

type Props = { document: Document; isOpen: boolean; onClose: () => void };

export function EditDocumentDialog({ document, isOpen, onClose }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Edit Document">
      <EditDocumentForm document={document} onDone={onClose} />
    </Dialog>
  );
}

function EditDocumentForm({ document, onDone }: { document: Document; onDone: () => void }) {
  const form = useEntryForm({ resolver: zodResolver(editDocumentSchema), defaultValues: valuesOf(document) });
  const editing = useBase(document, valuesOf);
  const draft = useStoredDraft(form, `document:${document._id}`, editing.meetBase);
  const { update } = useDocumentActions();
  const submit = form.handleSubmit(async (body) => {
    try {
      await update(document._id, { ...body, version: editing.base.version });
      showSuccess('Document updated successfully');
      onDone();
    } catch (error) {
      if (editing.meet(error, form)) return;
      showFieldErrors(error, ['name', 'description', 'visibility', 'tags'], form.setError);
      showFailure(error, 'Failed to update document');
    }
  });
  const { control } = form;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        <EditNotices form={form} editing={editing} draft={draft} what="this document" shown={SHOWN} />
        <FormField control={control} name="name">
          {(field) => <TextField {...field} label="Name" isRequired autoFocus />}
        </FormField>
        <FormField control={control} name="description">
          {(field) => <TextArea {...field} label="Description" />}
        </FormField>
        <FormField control={control} name="visibility">
          {({ ref: _ref, ...field }) => (
            <RadioGroup {...field} label="Visibility" options={visibilityOptions(document.project !== null)} />
          )}
        </FormField>
        <FormField control={control} name="tags">
          {(field) => (
            <TextField {...field} label="Tags" description="Separated by commas" placeholder="plan, spring" />
          )}
        </FormField>
      </DialogBody>
      <FormFoot action="Save Changes" isBusy={form.formState.isSubmitting} isDisabled={editing.theirs !== undefined} />
    </form>
  );
}

const visibilityOptions = (hasProject: boolean) => [
  {
    value: 'private',
    label: VISIBILITY_LABELS.private,
    description: 'Its uploader, those it is shared with, and administrators',
  },
  {
    value: 'team',
    label: VISIBILITY_LABELS.team,
    description: hasProject ? 'Also the people of its project' : 'Everyone who is signed in, as it has no project',
  },
  { value: 'public', label: VISIBILITY_LABELS.public, description: 'Everyone who is signed in' },
];

function valuesOf({ name, description, visibility, tags }: Document) {
  return { name, description, visibility: visibility as string, tags: tags.join(', ') };
}

const SHOWN: Record<string, (values: ReturnType<typeof valuesOf>) => string> = {
  Name: ({ name }) => name,
  Description: ({ description }) => description,
  Visibility: ({ visibility }) => visibilityOptions(true).find(({ value }) => value === visibility)?.label ?? '',
  Tags: ({ tags }) => tags,
};
