import type { FieldValues } from 'react-hook-form';
import { ConflictNotice } from '../../ui/conflict-notice.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { FormFailure } from './form-failure.tsx';
import type { VersionedForm } from './use-versioned-form.ts';

export type NoticeProps<Resource extends { version: number }, Values extends FieldValues, Out> = {
  /** From `useVersionedForm`. */
  of: VersionedForm<Resource, Values, Out>;
  /** What is edited, as in "this project". */
  what: string;
};

/**
 * Above the fields: a conflict with another user's save; otherwise the reason of the last failure, or a restored draft.
 */
export function EditNotices<Resource extends { version: number }, Values extends FieldValues, Out>({
  of,
  what,
}: NoticeProps<Resource, Values, Out>) {
  const { form, draft } = of;
  const { theirs, valuesOf, fields, keepMine, takeTheirs } = of.editing;
  if (!theirs)
    return (
      <>
        <FormFailure failure={form.failure} />
        <DraftNotice draft={draft} />
      </>
    );
  return (
    <ConflictNotice
      what={what}
      fields={fields.differences(form.getValues(), valuesOf(theirs))}
      onKeepMine={keepMine}
      onTakeTheirs={() => takeTheirs(form)}
    />
  );
}
