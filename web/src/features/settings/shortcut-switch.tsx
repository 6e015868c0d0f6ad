import { setSingleKeys, useSingleKeys } from '#lib/single-key-shortcuts.ts';
import { Switch } from '#ui/fields/toggles.tsx';

/** Turns single-key shortcuts on or off. */
export function ShortcutSwitch() {
  return (
    <Switch isSelected={useSingleKeys()} onChange={setSingleKeys}>
      Single-key shortcuts (such as N for a new meeting)
    </Switch>
  );
}
