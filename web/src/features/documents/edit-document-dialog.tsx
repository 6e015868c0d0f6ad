import type { Document } from '@atrium/proto-events/http/documents';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ApiError, messageOf } from '../../lib/api-error.ts';
import { FormField } from '../../lib/form-field.tsx';
import { showFieldErrors } from '../../lib/server-errors.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showError, showSuccess } from '../../ui/toast.ts';
import { editDocumentSchema } from './document-schema.ts';
import { VISIBILITY_LABELS } from './document-words.ts';
import { useDocumentActions } from './use-documents.ts';

type Props = { document: Document; isOpen: boolean; onClose: () => void };

export function EditDocumentDialog({ document, isOpen, onClose }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Edit Document">
      <EditDocumentForm document={document} onDone={onClose} />
    </Dialog>
  );
}

function EditDocumentForm({ document, onDone }: { document: Document; onDone: () => void }) {
  const form = useForm({ resolver: zodResolver(editDocumentSchema), defaultValues: valuesOf(document) });
  // The version that the typed changes were made on; a newer one on the server is a conflict that is told.
  const [base, setBase] = useState({ version: document.version, isNewer: false });
  const { update } = useDocumentActions();
  const submit = form.handleSubmit(async (body) => {
    try {
      await update(document._id, { ...body, version: base.version });
      showSuccess('Document updated successfully');
      onDone();
    } catch (error) {
      if (isStale(error)) setBase({ version: error.current.version, isNewer: true });
      showFieldErrors(error, ['name', 'description', 'visibility', 'tags'], form.setError);
      showError('Error', messageOf(error, 'Failed to update document'));
    }
  });
  const { control } = form;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        {base.isNewer && (
          <Notice>
            Someone else changed this document meanwhile. What you typed is kept; save again to keep yours.
          </Notice>
        )}
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
      <DialogFooter>
        <Button onPress={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" isBusy={form.formState.isSubmitting}>
          Save Changes
        </Button>
      </DialogFooter>
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

function isStale(error: unknown): error is ApiError & { current: { version: number } } {
  if (!(error instanceof ApiError) || error.code !== 'stale_version') return false;
  const { current } = error;
  return typeof current === 'object' && current !== null && 'version' in current && typeof current.version === 'number';
}
