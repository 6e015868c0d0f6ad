import type { BaseSyntheticEvent } from 'react';
import type { AnnouncedFailure } from '#lib/forms/use-entry-form.ts';
import type { StoredDraft } from '#lib/forms/use-stored-draft.ts';
import { Inline } from '../layout/primitives.ts';
import { Notice } from '../notice.tsx';
import { type Conflict, ConflictNotice } from './conflict-notice.tsx';
import { FormFailure } from './form-failure.tsx';
import { SelfRemovingButton } from './self-removing-button.tsx';

/** A form of `useCreateForm` or `useVersionedForm`. */
export type ResourceForm = {
  form: { failure: AnnouncedFailure | undefined; hasUnsavedChanges: boolean; formState: { isSubmitting: boolean } };
  draft: StoredDraft;
  /** A conflict with another user's save, which must be resolved before saving. */
  conflict?: Conflict | undefined;
  submit: (event: BaseSyntheticEvent) => Promise<void>;
};

type Props = {
  of: ResourceForm;
  /** What is edited, as in "this project". */
  what?: string | undefined;
};

/** Above the fields: a conflict; otherwise the reason of the last failure, or a restored draft. */
export function FormNotices({ of: { form, draft, conflict }, what }: Props) {
  if (conflict) return <ConflictNotice what={what} {...conflict} />;
  return (
    <>
      <FormFailure failure={form.failure} />
      <DraftNotice draft={draft} />
    </>
  );
}

/** Shown when a draft was restored. */
export function DraftNotice({ draft }: { draft: StoredDraft }) {
  if (!draft.isRestored) return null;
  return (
    <Notice>
      <Inline $gap={2} $justify="space-between" $wraps>
        <span>Your unsaved changes have been restored.</span>
        <SelfRemovingButton size="sm" onPress={draft.discard}>
          Discard them
        </SelfRemovingButton>
      </Inline>
    </Notice>
  );
}
