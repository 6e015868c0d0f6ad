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
  without: readonly string[];
  add: (id: string) => Promise<unknown>;
  /** Called once for all added users, also if adding a later one failed. */
  onAdded: (people: readonly Pickable[]) => void;
  failure: string;
};

/** Nothing is sent before the selection is confirmed. */
export function AddPeople({ label, draftKey, without, add, onAdded, failure }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [isWanted, setWanted] = useState(false);
  const [hasFocusBack, setFocusBack] = useState(false);
  const [chosen, setChosen, , isChosen] = useDraftState({ draftKey, initial: NO_ONE, parse: parsePeople });
  useUnsavedChanges(isChosen);
  const close = () => {
    setFocusBack(box.current?.contains(document.activeElement) ?? false);
    setWanted(false);
  };
  const {
    run,
    isBusy,
    failure: reason,
  } = useAction(async () => {
    const added: Pickable[] = [];
    try {
      for (const person of chosen) {
        await add(person._id);
        added.push(person);
        // If a later one fails, a retry covers only the rest.
        setChosen((before) => before.filter(({ _id }) => _id !== person._id));
      }
      close();
    } finally {
      onAdded(added);
    }
  }, failure);
  const cancel = () => {
    setChosen([]);
    close();
  };
  const isOpen = isWanted || chosen.length > 0;
  return (
    <div ref={box}>
      {isOpen ? (
        <>
          <PeopleField
            label={label}
            value={chosen.map(({ _id }) => _id)}
            onChange={(_ids, people) => setChosen(people)}
            without={without}
            known={chosen}
            ref={takeFocus}
          />
          <FormFailure failure={reason} />
          <Inline $gap={2} $justify="end" $above={2}>
            <Button onPress={cancel} isDisabled={isBusy}>
              Cancel
            </Button>
            <Button variant="primary" onPress={() => void run()} isBusy={isBusy} isDisabled={chosen.length === 0}>
              Add
            </Button>
          </Inline>
        </>
      ) : (
        <Button icon={<UserPlus />} onPress={() => setWanted(true)} autoFocus={hasFocusBack}>
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

/** The button that opened it is unmounted. */
const takeFocus = (search: HTMLInputElement | null) => search?.focus();
