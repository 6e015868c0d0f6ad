import { SelfRemovingButton } from './forms/self-removing-button.tsx';
import { Inline } from './layout/primitives.ts';
import { Notice } from './notice.tsx';

type Props = { draft: { isRestored: boolean; discard: () => void } };

/** Shown when a draft was restored. */
export function DraftNotice({ draft }: Props) {
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
