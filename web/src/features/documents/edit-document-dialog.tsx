import { type Document, updateDocumentBody } from '@atrium/proto-events/http/documents';
import { z } from 'zod';
import { parseTags, VISIBILITY_LABELS } from '#entities/document/document-labels.ts';
import { type FieldTexts, optionText } from '#lib/forms/field-merge.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { RadioGroup } from '#ui/fields/radio-group.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { useDocumentActions } from './use-document-actions.ts';

/** Values of the form; `tags` are as typed, separated by commas. */
type EditDocumentValues = { name: string; description: string; visibility: string; tags: string };

const editDocumentSchema = z.preprocess(
  (values: EditDocumentValues) => ({ ...values, tags: parseTags(values.tags) }),
  updateDocumentBody,
);

type Props = { document: Document; onClose: () => void };

export function EditDocumentDialog({ document, onClose }: Props) {
  const { update } = useDocumentActions();
  const editing = useVersionedForm({
    resource: document,
    valuesOf,
    fields: FIELDS,
    schema: editDocumentSchema,
    draft: `document:${document._id}`,
    save: (body, version) => update(document._id, { ...body, version }),
    messages: { saved: 'Document updated successfully', failed: 'Failed to update document' },
    onSaved: onClose,
  });
  const { control } = editing;
  return (
    <FormDialog
      form={editing}
      title="Edit Document"
      onClose={onClose}
      resourceLabel="this document"
      action="Save Changes"
    >
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
        {(field) => <TextField {...field} label="Tags" description="Separated by commas" placeholder="plan, spring" />}
      </FormField>
    </FormDialog>
  );
}

const visibilityOptions = (hasProject: boolean) => [
  {
    value: 'private',
    label: VISIBILITY_LABELS.private,
    description: 'Its uploader, people it is shared with, and administrators',
  },
  {
    value: 'team',
    label: VISIBILITY_LABELS.team,
    description: hasProject ? 'Also project members' : 'Everyone who is signed in, because it has no project',
  },
  { value: 'public', label: VISIBILITY_LABELS.public, description: 'Everyone who is signed in' },
];

const FIELDS: FieldTexts<ReturnType<typeof valuesOf>> = {
  name: 'Name',
  description: 'Description',
  visibility: { label: 'Visibility', text: optionText(visibilityOptions(true)) },
  tags: { label: 'Tags', isCommaList: true },
};

function valuesOf({ name, description, visibility, tags }: Document) {
  return { name, description, visibility: visibility as string, tags: tags.join(', ') };
}
