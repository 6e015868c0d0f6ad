import { UserPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useUnsavedChanges } from '#lib/forms/unsaved-changes.ts';
import { useDraftState } from '#lib/forms/use-stored-draft.ts';
import { isRecord } from '#lib/is-record.ts';
import { Button } from '#ui/button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { FormFailure } from '#ui/notice.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { PeopleField, type Pickable } from './people-field.tsx';

type Props = {
  label: string;
  draftKey: string;
  excludedIds: readonly string[];
  add: (id: string) => Promise<unknown>;
  /** Called once with all added users, even if adding a later one fails. */
  onAdded: (people: readonly Pickable[]) => void;
  failure: string;
};

/** Nothing is sent before the selection is confirmed. */
export function AddPeople({ label, draftKey, excludedIds, add, onAdded, failure }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [isPicking, setPicking] = useState(false);
  const [shouldRefocus, setShouldRefocus] = useState(false);
  const [selectedPeople, setSelectedPeople, , hasSelection] = useDraftState({
    draftKey,
    initial: NO_ONE,
    parse: parsePeople,
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
    const addedPeople: Pickable[] = [];
    try {
      for (const person of selectedPeople) {
        await add(person._id);
        addedPeople.push(person);
        // If adding a later person fails, a retry covers only the remaining ones.
        setSelectedPeople((previous) => previous.filter(({ _id }) => _id !== person._id));
      }
      close();
    } finally {
      onAdded(addedPeople);
    }
  }, failure);
  const cancel = () => {
    setSelectedPeople([]);
    close();
  };
  const isOpen = isPicking || selectedPeople.length > 0;
  return (
    <div ref={box}>
      {isOpen ? (
        <>
          <PeopleField
            label={label}
            value={selectedPeople.map(({ _id }) => _id)}
            onChange={(_ids, people) => setSelectedPeople(people)}
            excludedIds={excludedIds}
            knownPeople={selectedPeople}
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
              isDisabled={selectedPeople.length === 0}
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

const parsePeople = (stored: unknown): readonly Pickable[] | undefined =>
  Array.isArray(stored) ? stored.filter(isPickable) : undefined;

const isPickable = (value: unknown): value is Pickable =>
  isRecord(value) && [value._id, value.firstName, value.lastName].every((field) => typeof field === 'string');

/** Focuses the search, because the button that opened it is unmounted. */
const takeFocus = (search: HTMLInputElement | null) => search?.focus();
