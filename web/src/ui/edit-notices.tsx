import type { Refillable } from '../lib/forms/use-base.ts';
import type { StoredDraft } from '../lib/forms/use-stored-draft.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { DraftNotice } from './draft-notice.tsx';

type Props<Resource, Values> = {
  form: Refillable<NoInfer<Values>> & { getValues: () => NoInfer<Values> };
  /** Of `useBase`. */
  editing: {
    theirs: Resource | undefined;
    valuesOf: (resource: Resource) => Values;
    keepMine: () => void;
    takeTheirs: (form: Refillable<NoInfer<Values>>) => void;
  };
  draft?: StoredDraft;
  /** What is being changed, as in "this project". */
  what: string;
  /** Each field in the words that people see, such as `{ Title: ({ title }) => title }`. */
  shown: Record<string, (values: NoInfer<Values>) => string>;
};

/** What stands above the fields: that somebody else saved meanwhile, and the choice between both; else that what was typed has come back. */
export function EditNotices<Resource, Values>({ form, editing, draft, what, shown }: Props<Resource, Values>) {
  const { theirs, valuesOf, keepMine, takeTheirs } = editing;
  if (!theirs) return draft ? <DraftNotice draft={draft} /> : null;
  const yours = form.getValues();
  const saved = valuesOf(theirs);
  return (
    <ConflictNotice
      what={what}
      fields={Object.entries(shown).map(([label, of]) => ({ label, yours: of(yours), theirs: of(saved) }))}
      onKeepMine={keepMine}
      onTakeTheirs={() => takeTheirs(form)}
    />
  );
}
