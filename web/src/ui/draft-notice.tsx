import { styled } from 'styled-components';
import { SelfRemovingButton } from './forms/self-removing-button.tsx';
import { Notice } from './notice.tsx';
import { theme } from './theme.ts';

type Props = { draft: { isRestored: boolean; discard: () => void } };

/** Shown when a draft was restored. */
export function DraftNotice({ draft }: Props) {
  if (!draft.isRestored) return null;
  return (
    <Notice>
      <Line>
        <span>Your unsaved changes have been restored.</span>
        <SelfRemovingButton size="sm" onPress={draft.discard}>
          Discard them
        </SelfRemovingButton>
      </Line>
    </Notice>
  );
}

const Line = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[2]};
`;
