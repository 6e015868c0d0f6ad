import { styled } from 'styled-components';
import { hiddenInPrint } from '../mixins.ts';
import { theme } from '../theme.ts';

export const DialogBody = styled.div`
  display: flex;
  flex-direction: column;
  gap: ${theme.space[4]};
  min-height: 0;
  overflow-y: auto;
  padding: ${theme.space[2]} ${theme.space[6]} ${theme.space[6]};
  ${theme.media.small} {
    padding: ${theme.space[1]} ${theme.space[4]} ${theme.space[5]};
  }
  @media print {
    overflow: visible;
  }
`;

export const FieldRow = styled.div`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: ${theme.space[4]};
  align-items: start;
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr);
  }
`;

export const DialogFooter = styled.footer`
  display: flex;
  justify-content: flex-end;
  gap: ${theme.space[2]};
  padding: ${theme.space[4]} ${theme.space[6]};
  border-top: 1px solid ${theme.color.line};
  ${theme.media.small} {
    padding: ${theme.space[3]} ${theme.space[4]} calc(${theme.space[3]} + env(safe-area-inset-bottom));
    > button {
      flex: 1;
    }
  }
  ${hiddenInPrint}
`;
