import type { Document } from '@atrium/proto-events/http/documents';
import { useRef } from 'react';
import { DEPARTMENT_MEMBERS, DepartmentField } from '#entities/department/department-field.tsx';
import { useDocumentShares, useShareDocument } from '#entities/document/use-document-access.ts';
import { ProjectField } from '#entities/project/project-field.tsx';
import { UsersField } from '#entities/user/users-field.tsx';
import { useCloseDialog, useUnsavedChanges } from '#lib/forms/unsaved-changes.ts';
import { useDraftState } from '#lib/forms/use-stored-draft.ts';
import { isRecord } from '#lib/is-record.ts';
import { Button } from '#ui/button.tsx';
import { DraftNotice } from '#ui/forms/form-notices.tsx';
import { FormFailure } from '#ui/notice.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { ShareList, useEndShare } from './share-list.tsx';

type Props = { document: Document; onClose: () => void };

export function ShareDialog({ document, onClose }: Props) {
  return (
    <Dialog onClose={onClose} title="Share Document" description={document.name}>
      <ShareForm document={document} onDone={onClose} />
    </Dialog>
  );
}

type Chosen = { people: string[]; department: string; project: string };

const NO_ONE: Chosen = { people: [], department: '', project: '' };

function parseChosen(stored: unknown): Chosen | undefined {
  if (!isRecord(stored)) return undefined;
  const { people, department, project } = stored;
  if (!Array.isArray(people) || typeof department !== 'string' || typeof project !== 'string') return undefined;
  return { people: people.map(String), department, project };
}

function ShareForm({ document, onDone }: { document: Document; onDone: () => void }) {
  const draftKey = `document:${document._id}:share`;
  const [values, setValues, draft, isChosen] = useDraftState({ draftKey, initial: NO_ONE, parse: parseChosen });
  const { people, department, project } = values;
  const set = (changed: Partial<Chosen>) => setValues((before) => ({ ...before, ...changed }));
  const body = useRef<HTMLDivElement>(null);
  const share = useShareDocument();
  const close = useCloseDialog();
  useUnsavedChanges(isChosen);
  const {
    run: submit,
    isBusy,
    failure,
  } = useAction(async () => {
    await share(document._id, {
      ...(people.length > 0 && { userIds: people }),
      ...(department && { departmentIds: [department] }),
      ...(project && { projectIds: [project] }),
    });
    showSuccess('Document shared successfully');
    onDone();
  }, 'Failed to share document');
  return (
    <>
      <DialogBody ref={body} tabIndex={-1}>
        <DraftNotice draft={draft} />
        {/* The pressed button is removed with its row; the dialog must keep focus for Esc to close it. */}
        <CurrentShares document={document} onEnd={() => body.current?.focus()} />
        <UsersField
          label="People"
          value={people}
          onChange={(ids) => set({ people: ids })}
          excludedIds={[document.uploadedBy, ...document.sharedWith].map(({ _id }) => _id)}
        />
        <DepartmentField
          value={department}
          onChange={(id) => set({ department: id })}
          excludedIds={document.sharedWithDepartments?.map(({ _id }) => _id) ?? []}
          description={DEPARTMENT_MEMBERS}
        />
        <ProjectField value={project} onChange={(id) => set({ project: id })} description="Everyone on this project" />
        <FormFailure failure={failure} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={close}>Cancel</Button>
        <Button variant="primary" onPress={() => void submit()} isBusy={isBusy} isDisabled={!isChosen}>
          Share
        </Button>
      </DialogFooter>
    </>
  );
}

function CurrentShares({ document, onEnd }: { document: Document; onEnd: () => void }) {
  const { data } = useDocumentShares(document._id);
  const { end, failure } = useEndShare(document._id, onEnd);
  if (!data || data.data.length === 0) return null;
  return (
    <ShareList label="Shared with" shares={data.data} onEnd={data.canRemove ? end : undefined} failure={failure} />
  );
}
