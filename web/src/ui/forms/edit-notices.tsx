import type { FieldValues } from 'react-hook-form';
import { ConflictNotice } from '../../ui/conflict-notice.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import type { VersionedForm } from './use-versioned-form.ts';

export type NoticeProps<Resource extends { version: number }, Values extends FieldValues, Out> = {
  /** Of `useVersionedForm`. */
  of: VersionedForm<Resource, Values, Out>;
  /** What is being changed, as in "this project". */
  what: string;
  /** Each field in the words that people see, such as `{ Title: ({ title }) => title }`. */
  shown: Record<string, (values: NoInfer<Values>) => string>;
};

/** What stands above the fields: that somebody else saved meanwhile, and the choice between both; else that what was typed has come back. */
export function EditNotices<Resource extends { version: number }, Values extends FieldValues, Out>({
  of,
  what,
  shown,
}: NoticeProps<Resource, Values, Out>) {
  const { form, draft } = of;
  const { theirs, valuesOf, keepMine, takeTheirs } = of.editing;
  if (!theirs) return <DraftNotice draft={draft} />;
  const yours = form.getValues();
  const saved = valuesOf(theirs);
  return (
    <ConflictNotice
      what={what}
      fields={Object.entries(shown).map(([label, read]) => ({ label, yours: read(yours), theirs: read(saved) }))}
      onKeepMine={keepMine}
      onTakeTheirs={() => takeTheirs(form)}
    />
  );
}
