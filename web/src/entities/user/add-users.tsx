import { UserPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useUnsavedChanges } from '#lib/forms/unsaved-changes.ts';
import { useDraftState } from '#lib/forms/use-stored-draft.ts';
import { isRecord } from '#lib/is-record.ts';
import { Button } from '#ui/button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { FormFailure } from '#ui/notice.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { type Pickable, UsersField } from './users-field.tsx';

type Props = {
  label: string;
  draftKey: string;
  excludedIds: readonly string[];
  add: (id: string) => Promise<unknown>;
  /** Called once with all added users, even if adding a later one fails. */
  onAdded: (users: readonly Pickable[]) => void;
  failure: string;
};

/** Nothing is sent before the selection is confirmed. */
export function AddUsers({ label, draftKey, excludedIds, add, onAdded, failure }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [isPicking, setPicking] = useState(false);
  const [shouldRefocus, setShouldRefocus] = useState(false);
  const [selectedUsers, setSelectedUsers, , hasSelection] = useDraftState({
    draftKey,
    initial: NO_ONE,
    parse: parseUsers,
  });
  useUnsavedChanges(hasSelection);
  const close = () => {
    setShouldRefocus(box.current?.contains(document.activeElement) ?? false);
    setPicking(false);
  };
  const {
    run,
    isBusy,
    failure: reason,
  } = useAction(async () => {
    const addedUsers: Pickable[] = [];
    try {
      for (const user of selectedUsers) {
        await add(user._id);
        addedUsers.push(user);
        // If adding a later user fails, a retry covers only the remaining ones.
        setSelectedUsers((previous) => previous.filter(({ _id }) => _id !== user._id));
      }
      close();
    } finally {
      onAdded(addedUsers);
    }
  }, failure);
  const cancel = () => {
    setSelectedUsers([]);
    close();
  };
  const isOpen = isPicking || selectedUsers.length > 0;
  return (
    <div ref={box}>
      {isOpen ? (
        <>
          <UsersField
            label={label}
            value={selectedUsers.map(({ _id }) => _id)}
            onChange={(_ids, users) => setSelectedUsers(users)}
            excludedIds={excludedIds}
            knownUsers={selectedUsers}
            ref={takeFocus}
          />
          <FormFailure failure={reason} />
          <Inline $gap={2} $justify="end" $above={2}>
            <Button onPress={cancel} isDisabled={isBusy}>
              Cancel
            </Button>
            <Button
              variant="primary"
              onPress={() => void run()}
              isBusy={isBusy}
              isDisabled={selectedUsers.length === 0}
            >
              Add
            </Button>
          </Inline>
        </>
      ) : (
        <Button icon={<UserPlus />} onPress={() => setPicking(true)} autoFocus={shouldRefocus}>
          {label}
        </Button>
      )}
    </div>
  );
}

const NO_ONE: readonly Pickable[] = [];

const parseUsers = (stored: unknown): readonly Pickable[] | undefined =>
  Array.isArray(stored) ? stored.filter(isPickable) : undefined;

const isPickable = (value: unknown): value is Pickable =>
  isRecord(value) && [value._id, value.firstName, value.lastName].every((field) => typeof field === 'string');

/** Focuses the search, because the button that opened it is unmounted. */
const takeFocus = (search: HTMLInputElement | null) => search?.focus();
